//! The copy of the tables in JSON that xclbinutil appends to a file, so that its own tools can rebuild it.

use std::fmt::Write as _;

use super::{Connectivity, Header, Ip, IpLayout, MemoryTopology, Section, SectionKind};
use crate::bytes::Bytes;

/// The whole appendix for a file whose sections have their places.
pub(super) fn appendix(header: &Header, sections: &[Section]) -> Vec<u8> {
    let mut out = String::from("XCLBIN_MIRROR_DATA_START{");
    out.push_str("\"schema_version\":{\"major\":\"1\",\"minor\":\"0\",\"patch\":\"0\"},");
    out.push_str(&header_json(header));
    for section in sections {
        // Writing into a string cannot fail.
        let _ = write!(
            out,
            ",\"section_header\":{{\"Kind\":\"{}\",\"Name\":{},\"Offset\":\"{:#x}\",\"Size\":\"{:#x}\"",
            section.kind.0,
            string(&section.name()),
            section.offset,
            section.data.len()
        );
        if let Some(payload) = payload(section) {
            let _ = write!(out, ",\"payload\":{{{payload}}}");
        }
        out.push('}');
    }
    out.push_str("}\nXCLBIN_MIRROR_DATA_END");
    out.into_bytes()
}

fn header_json(header: &Header) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    // Major and minor are characters to the tool that writes them.
    let version =
        format!("{}.{}.{}", char::from(header.version_major), char::from(header.version_minor), header.version_patch);
    format!(
        "\"header\":{{\"Magic\":\"xclbin2\",\"SignatureLength\":\"{:x}\",\"KeyBlock\":\"{}\",\"UniqueID\":\"{}\",\
         \"TimeStamp\":\"{}\",\"FeatureRomTimeStamp\":\"{}\",\"Version\":{},\"Mode\":\"{}\",\"InterfaceUUID\":\"{}\",\
         \"PlatformVBNV\":{},\"XclBinUUID\":\"{}\",\"DebugBin\":{}}}",
        header.signature_length,
        hex(&header.key_block),
        hex(&header.unique_id.to_le_bytes()),
        header.time_stamp,
        header.feature_rom_time_stamp,
        string(&version),
        header.mode,
        hex(&header.interface_uuid.0),
        string(&super::text_of(&header.platform)),
        hex(&header.uuid.0),
        string(&super::text_of(&header.debug_bin)),
    )
}

/// The tables that are copied; other sections have none.
fn payload(section: &Section) -> Option<String> {
    let data = Bytes::new(&section.data, 0);
    match section.kind {
        SectionKind::MEM_TOPOLOGY => Some(topology("mem_topology", &MemoryTopology::decode(&data).ok()?)),
        SectionKind::GROUP_TOPOLOGY => Some(topology("group_topology", &MemoryTopology::decode(&data).ok()?)),
        SectionKind::CONNECTIVITY => Some(connectivity("connectivity", &Connectivity::decode(&data).ok()?)),
        SectionKind::GROUP_CONNECTIVITY => Some(connectivity("group_connectivity", &Connectivity::decode(&data).ok()?)),
        SectionKind::IP_LAYOUT => Some(ip_layout(&IpLayout::decode(&data).ok()?)),
        _ => None,
    }
}

fn topology(name: &str, topology: &MemoryTopology) -> String {
    let bank = |bank: &super::MemoryBank| {
        format!(
            "{{\"m_type\":\"{}\",\"m_used\":\"{}\",\"m_sizeKB\":\"{:#x}\",\"m_tag\":{},\"m_base_address\":\"{:#x}\"}}",
            bank.kind_name().unwrap_or("UNKNOWN"),
            u8::from(bank.used),
            bank.size_kb,
            string(&bank.tag),
            bank.base
        )
    };
    table(name, "m_mem_data", topology.banks.iter().map(bank))
}

fn connectivity(name: &str, connectivity: &Connectivity) -> String {
    let connection = |connection: &super::Connection| {
        format!(
            "{{\"arg_index\":\"{}\",\"m_ip_layout_index\":\"{}\",\"mem_data_index\":\"{}\"}}",
            connection.argument, connection.ip, connection.memory
        )
    };
    table(name, "m_connection", connectivity.connections.iter().map(connection))
}

fn ip_layout(layout: &IpLayout) -> String {
    let ip = |ip: &Ip| {
        let base = if ip.base == Ip::NO_BASE { "not_used".to_owned() } else { format!("{:#x}", ip.base) };
        format!(
            "{{\"m_type\":\"IP_PS_KERNEL\",\"m_subtype\":\"{}\",\"m_functional\":\"{}\",\"m_kernel_id\":\"{:#x}\",\
             \"m_base_address\":\"{base}\",\"m_name\":{}}}",
            if ip.subtype() == Ip::DPU { "DPU" } else { "PS" },
            if ip.functional() == 0 { "DPU" } else { "PrePost" },
            ip.kernel_id(),
            string(&ip.name)
        )
    };
    table("ip_layout", "m_ip_data", layout.ips.iter().map(ip))
}

fn table(name: &str, entries: &str, rows: impl ExactSizeIterator<Item = String>) -> String {
    let count = rows.len();
    let rows: Vec<String> = rows.collect();
    format!("\"{name}\":{{\"m_count\":\"{count}\",\"{entries}\":[{}]}}", rows.join(","))
}

/// A JSON string as the tool's library writes it: a slash is escaped, other characters beyond ASCII are not.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '/' => out.push_str("\\/"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if u32::from(control) < 0x20 => {
                let _ = write!(out, "\\u{:04X}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
