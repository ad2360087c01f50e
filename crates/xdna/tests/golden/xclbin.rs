//! xclbin files: everything that AMD's xclbinutil reported of them, and the same files made here.

use ferrite_xdna::xclbin::{
    AiePartition, Argument, CdoGroup, Connectivity, GroupKind, IpLayout, Kernel, MemoryBank, MemoryTopology, Package,
    PartitionPdi, SectionKind, Uuid, Xclbin,
};
use serde_json::{Value, json};

use crate::check::{Outcome, Tally, bytes, hex, int, int32, json as file, list, same, sha256, text};

pub(crate) fn all(tally: &mut Tally) {
    let golden = file("xclbin.json");
    let cases = golden["cases"].as_object().unwrap();
    for (name, case) in cases {
        let bytes = bytes(case["file"].as_str().unwrap());
        let xclbin = match Xclbin::decode(&bytes) {
            Ok(xclbin) => xclbin,
            Err(error) => {
                tally.case(name, Err(error.to_string()));
                continue;
            }
        };
        tally.case(&format!("{name} encoded again"), same("bytes", &xclbin.encode(), &bytes));
        tally.case(&format!("{name} header"), header(&xclbin, &case["axlf"]));
        tally.case(&format!("{name} sections"), sections(&xclbin, &case["axlf"]));
        for (section, dump) in case["dumps"].as_object().unwrap() {
            tally.case(&format!("{name} {section}"), self::dump(&xclbin, section, dump));
        }
        tally.case(&format!("{name} info"), info(&xclbin, list(&case["xclbinutil_info"])));
        let inputs = &case["inputs"];
        let base = inputs["base"].as_str().map(|base| &cases[base.trim_end_matches(".xclbin")]["inputs"]);
        tally.case(&format!("{name} made by us"), made(inputs, base, &xclbin, &bytes));
    }
}

fn header(xclbin: &Xclbin, golden: &Value) -> Outcome {
    let header = &xclbin.header;
    let numbers = [
        ("signature_length", i64::from(header.signature_length).cast_unsigned()),
        ("unique_id", header.unique_id),
        ("length", header.length),
        ("timestamp", header.time_stamp),
        ("feature_rom_timestamp", header.feature_rom_time_stamp),
        ("version_patch", header.version_patch.into()),
        ("version_major", header.version_major.into()),
        ("version_minor", header.version_minor.into()),
        ("mode", header.mode.into()),
        ("action_mask", header.action_mask.into()),
        ("num_sections", xclbin.sections.len() as u64),
    ];
    for (name, ours) in numbers {
        same(name, &ours, &int(&golden[name]))?;
    }
    let zero_padded = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned();
    let texts = [
        ("reserved", hex(&header.reserved)),
        ("interface_uuid", hex(&header.interface_uuid.0)),
        ("uuid", hex(&header.uuid.0)),
        ("vbnv", zero_padded(&header.platform)),
        ("debug_bin", zero_padded(&header.debug_bin)),
    ];
    for (name, ours) in texts {
        same(name, &Some(ours.as_str()), &golden[name].as_str())?;
    }
    same("key_block_ff", &Some(header.key_block == [0xff; 256]), &golden["key_block_ff"].as_bool())
}

fn sections(xclbin: &Xclbin, golden: &Value) -> Outcome {
    for (section, golden) in xclbin.sections.iter().zip(list(&golden["sections"])) {
        same("kind", &u64::from(section.kind.0), &int(&golden["kind"]))?;
        same("name", &Some(section.name().as_str()), &golden["name"].as_str())?;
        same("offset", &section.offset, &int(&golden["offset"]))?;
        same("size", &(section.data.len() as u64), &int(&golden["size"]))?;
        same("sha256", &Some(sha256(&section.data).as_str()), &golden["sha256"].as_str())?;
    }
    Ok(())
}

fn topology_json(topology: &MemoryTopology) -> Value {
    let banks: Vec<Value> = topology
        .banks
        .iter()
        .map(|bank| {
            json!({
                "m_type": bank.kind_name().unwrap_or("UNKNOWN"),
                "m_used": u8::from(bank.used).to_string(),
                "m_sizeKB": format!("{:#x}", bank.size_kb),
                "m_tag": bank.tag,
                "m_base_address": format!("{:#x}", bank.base),
            })
        })
        .collect();
    json!({"m_count": banks.len().to_string(), "m_mem_data": banks})
}

fn connectivity_json(connectivity: &Connectivity) -> Value {
    let connections: Vec<Value> = connectivity
        .connections
        .iter()
        .map(|connection| {
            json!({
                "arg_index": connection.argument.to_string(),
                "m_ip_layout_index": connection.ip.to_string(),
                "mem_data_index": connection.memory.to_string(),
            })
        })
        .collect();
    json!({"m_count": connections.len().to_string(), "m_connection": connections})
}

fn ip_layout_json(layout: &IpLayout) -> Value {
    let ips: Vec<Value> = layout
        .ips
        .iter()
        .map(|ip| {
            json!({
                "m_type": if ip.kind == 7 { "IP_PS_KERNEL" } else { "?" },
                "m_subtype": if ip.subtype() == 1 { "DPU" } else { "?" },
                "m_functional": if ip.functional() == 0 { "DPU" } else { "?" },
                "m_kernel_id": format!("{:#x}", ip.kernel_id()),
                "m_base_address": if ip.base == u64::MAX { "not_used".to_owned() } else { format!("{:#x}", ip.base) },
                "m_name": ip.name,
            })
        })
        .collect();
    json!({"m_count": ips.len().to_string(), "m_ip_data": ips})
}

fn partition_json(partition: &AiePartition) -> Value {
    let numbers = |numbers: &[u64]| numbers.iter().map(|number| format!("{number:#x}")).collect::<Vec<_>>();
    let group = |group: &CdoGroup| {
        json!({
            "name": group.name,
            "type": group.kind.name().unwrap_or("?"),
            "pdi_id": format!("{:#x}", group.pdi_id),
            "dpu_kernel_ids": numbers(&group.kernel_ids),
            "pre_cdo_groups": numbers(&group.pre_groups),
        })
    };
    let pdi = |pdi: &PartitionPdi| {
        json!({
            "uuid": pdi.uuid.to_string(),
            "file_name": format!("{}.pdi", pdi.uuid),
            "cdo_groups": pdi.groups.iter().map(group).collect::<Vec<_>>(),
        })
    };
    json!({
        "name": partition.name,
        "operations_per_cycle": partition.operations_per_cycle.to_string(),
        "inference_fingerprint": partition.inference_fingerprint.to_string(),
        "pre_post_fingerprint": partition.pre_post_fingerprint.to_string(),
        "kernel_commit_id": partition.kernel_commit,
        "partition": {
            "column_width": partition.columns.to_string(),
            "start_columns": partition.start_columns.iter().map(u16::to_string).collect::<Vec<_>>(),
        },
        "PDIs": partition.pdis.iter().map(pdi).collect::<Vec<_>>(),
    })
}

fn dump(xclbin: &Xclbin, section: &str, golden: &Value) -> Outcome {
    let compare = |name: &str, ours: Option<Value>| same(name, &ours.as_ref(), &golden.get(name));
    match section {
        "MEM_TOPOLOGY" => compare("mem_topology", xclbin.memory_topology().map_err(text)?.as_ref().map(topology_json)),
        "GROUP_TOPOLOGY" => {
            compare("group_topology", xclbin.group_topology().map_err(text)?.as_ref().map(topology_json))
        }
        "IP_LAYOUT" => compare("ip_layout", xclbin.ip_layout().map_err(text)?.as_ref().map(ip_layout_json)),
        "CONNECTIVITY" => compare("connectivity", xclbin.connectivity().map_err(text)?.as_ref().map(connectivity_json)),
        "GROUP_CONNECTIVITY" => {
            compare("group_connectivity", xclbin.group_connectivity().map_err(text)?.as_ref().map(connectivity_json))
        }
        "AIE_PARTITION" => compare("aie_partition", xclbin.partition().map_err(text)?.as_ref().map(partition_json)),
        "EMBEDDED_METADATA" => metadata(xclbin, golden.as_str().unwrap()),
        other => Err(format!("no dump of {other}")),
    }
}

fn metadata(xclbin: &Xclbin, golden: &str) -> Outcome {
    let section = xclbin.section(SectionKind::EMBEDDED_METADATA).ok_or("no XML")?;
    same("XML", &String::from_utf8_lossy(&section.data).into_owned(), &golden.to_owned())?;
    // The kernels read from the XML have everything that the XML says of them.
    for kernel in xclbin.kernels().map_err(text)? {
        let mut wanted = vec![format!("<kernel name=\"{}\"", kernel.name), format!("{:#x}", kernel.kernel_id)];
        wanted.extend(kernel.instances.iter().map(|instance| format!("<instance name=\"{instance}\"/>")));
        wanted.extend(kernel.arguments.iter().enumerate().map(|(id, argument)| {
            let Argument { name, size, offset_text, kind, is_buffer, .. } = argument;
            let qualifier = u8::from(*is_buffer);
            format!(
                "<arg name=\"{name}\" addressQualifier=\"{qualifier}\" id=\"{id}\" size=\"{size:#x}\" \
                 offset=\"{offset_text}\" hostOffset=\"0x0\" hostSize=\"{size:#x}\" type=\"{kind}\"/>"
            )
        }));
        if let Some(missing) = wanted.iter().find(|part| !golden.contains(*part)) {
            return Err(format!("the XML does not say {missing}"));
        }
    }
    Ok(())
}

/// The lines that `xclbinutil --info` reports and that do not describe the tool itself.
fn info(xclbin: &Xclbin, lines: &[Value]) -> Outcome {
    let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
    let value = |key: &str| {
        let line = lines.iter().find_map(|line| line.trim_start().strip_prefix(key));
        line.map(|rest| rest.trim().to_owned()).ok_or_else(|| format!("no line {key}"))
    };
    let header = &xclbin.header;
    let version = format!("{}.{}.{}", header.version_major, header.version_minor, header.version_patch);
    same("version", &version, &value("Version:")?)?;
    same("UUID", &header.uuid.to_string(), &value("UUID (xclbin):")?)?;
    same("static UUID", &header.interface_uuid.to_string(), &value("Static UUID:")?)?;
    same("time stamp", &header.feature_rom_time_stamp.to_string(), &value("Feature ROM TimeStamp:")?)?;
    let start = lines.iter().position(|line| line.trim_start().starts_with("Sections:")).ok_or("no sections")?;
    let listed = lines[start..].iter().take_while(|line| !line.starts_with('='));
    let listed: String = listed.map(|line| line.trim().trim_start_matches("Sections:")).collect();
    let listed: Vec<&str> = listed.split(',').map(str::trim).collect();
    let ours: Vec<&str> = xclbin.sections.iter().filter_map(|section| section.kind.name()).collect();
    same("sections", &ours, &listed)?;
    for bank in xclbin.memory_topology().map_err(text)?.unwrap_or_default().banks {
        let at = lines.iter().position(|line| line.trim() == format!("Name:         {}", bank.tag)).ok_or("no bank")?;
        let bank_lines: Vec<&str> = lines[at..at + 6].iter().map(|line| line.trim()).collect();
        let expected = [
            format!("Type:         {}", bank.kind_name().unwrap_or("?")),
            format!("Base Address: {:#x}", bank.base),
            format!("Address Size: {:#x}", bank.size_kb * 1024),
            format!("Bank Used:    {}", if bank.used { "Yes" } else { "No" }),
        ];
        if let Some(missing) = expected.iter().find(|line| !bank_lines.contains(&line.as_str())) {
            return Err(format!("{bank_lines:?} has no {missing}"));
        }
    }
    Ok(())
}

fn kernels(inputs: &Value) -> Vec<Kernel> {
    let kernel = |kernel: &Value| {
        let extended = &kernel["extended-data"];
        let argument = |argument: &Value| {
            let text = |name: &str| argument[name].as_str().unwrap_or_default().to_owned();
            let offset = int32(&argument["offset"]);
            let made = Argument::new(&text("name"), &text("type"), offset, &text("memory-connection"));
            Argument { offset_text: text("offset"), ..made }
        };
        Kernel {
            name: kernel["name"].as_str().unwrap().to_owned(),
            kind: kernel["type"].as_str().unwrap().to_owned(),
            subtype: u32::from(extended["subtype"] == "DPU"),
            functional: int32(&extended["functional"]),
            kernel_id: int32(&extended["dpu_kernel_id"]),
            arguments: list(&kernel["arguments"]).iter().map(argument).collect(),
            instances: list(&kernel["instances"])
                .iter()
                .map(|instance| instance["name"].as_str().unwrap().to_owned())
                .collect(),
        }
    };
    list(&inputs["kernels"]["ps-kernels"]["kernels"]).iter().map(kernel).collect()
}

fn topology(inputs: &Value) -> MemoryTopology {
    let bank = |bank: &Value| MemoryBank {
        kind: MemoryBank::DRAM,
        used: bank["m_used"] == "1",
        size_kb: int(&bank["m_sizeKB"]),
        base: int(&bank["m_base_address"]),
        tag: bank["m_tag"].as_str().unwrap().to_owned(),
    };
    MemoryTopology { banks: list(&inputs["mem_topology"]["mem_topology"]["m_mem_data"]).iter().map(bank).collect() }
}

fn uuid(value: &Value) -> Uuid {
    let digits: String = value.as_str().unwrap().chars().filter(|character| *character != '-').collect();
    let byte = |index: usize| u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).unwrap();
    Uuid(std::array::from_fn(byte))
}

fn partition(inputs: &Value) -> AiePartition {
    let golden = &inputs["aie_partition"]["aie_partition"];
    let numbers = |value: &Value| list(value).iter().map(int).collect::<Vec<_>>();
    let group = |group: &Value| CdoGroup {
        name: group["name"].as_str().unwrap().to_owned(),
        kind: if group["type"] == "PRIMARY" { GroupKind::PRIMARY } else { GroupKind(0) },
        pdi_id: int(&group["pdi_id"]),
        kernel_ids: numbers(&group["dpu_kernel_ids"]),
        pre_groups: numbers(&group["pre_cdo_groups"]),
    };
    let pdi = |pdi: &Value| PartitionPdi {
        uuid: uuid(&pdi["uuid"]),
        image: bytes(pdi["file_name"].as_str().unwrap()),
        place: 0,
        groups: list(&pdi["cdo_groups"]).iter().map(group).collect(),
    };
    AiePartition {
        operations_per_cycle: int32(&golden["operations_per_cycle"]),
        inference_fingerprint: int(&golden["inference_fingerprint"]),
        pre_post_fingerprint: int(&golden["pre_post_fingerprint"]),
        columns: int(&golden["partition"]["column_width"]) as u16,
        start_columns: list(&golden["partition"]["start_columns"]).iter().map(|column| int(column) as u16).collect(),
        pdis: list(&golden["PDIs"]).iter().map(pdi).collect(),
        // The tool ignores the name it is given.
        ..AiePartition::default()
    }
}

/// The file from the tool's inputs; identifier, time stamps and section names (input file names) are taken from the tool's.
fn made(inputs: &Value, base: Option<&Value>, tool: &Xclbin, bytes: &[u8]) -> Outcome {
    let named = |kind: SectionKind| tool.section(kind).map(ferrite_xdna::xclbin::Section::name).unwrap_or_default();
    let mut kernels = base.map_or(Vec::new(), kernels);
    kernels.extend(self::kernels(inputs));
    let package = Package {
        kernels,
        memory: topology(base.unwrap_or(inputs)),
        partition: partition(inputs),
        memory_name: named(SectionKind::MEM_TOPOLOGY),
        partition_name: named(SectionKind::AIE_PARTITION),
        extended: base.is_some(),
        header: tool.header.clone(),
    };
    let xclbin = package.build().map_err(text)?;
    same("bytes", &xclbin.encode(), &bytes.to_vec())
}
