//! Tables of an xclbin that must agree.

use std::collections::{BTreeMap, BTreeSet};

use super::{Findings, Rule};
use crate::error::Result;
use crate::xclbin::{AiePartition, Connectivity, IpLayout, Kernel, MemoryTopology, Xclbin};

pub(super) fn xclbin(xclbin: &Xclbin, findings: &mut Findings) -> Result<()> {
    let kernels = xclbin.kernels()?;
    let ips = xclbin.ip_layout()?.unwrap_or_default();
    for kernel in &kernels {
        arguments(kernel, findings);
    }
    instances(&kernels, &ips, findings);
    if let Some(partition) = xclbin.partition()? {
        groups(&partition, &ips, findings);
        pdis(&partition, findings);
    }
    if let Some(connectivity) = xclbin.connectivity()? {
        connections(&connectivity, &ips, &xclbin.memory_topology()?.unwrap_or_default(), &kernels, findings);
    }
    Ok(())
}

/// Values that occur more than once, with their number of times.
fn repeated<T: Ord>(values: impl Iterator<Item = T>) -> impl Iterator<Item = (T, usize)> {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_insert(0) += 1;
    }
    counts.into_iter().filter(|(_, count)| *count > 1)
}

fn arguments(kernel: &Kernel, findings: &mut Findings) {
    let place = format!("kernel `{}`", kernel.name);
    let mut end = 0;
    for argument in &kernel.arguments {
        if argument.offset < end {
            let message = format!(
                "argument `{}` starts at byte {:#x}, inside the one before, which ends at {end:#x}",
                argument.name, argument.offset
            );
            findings.error(Rule::InconsistentKernel, &place, message);
        }
        end = argument.offset.saturating_add(argument.size);
    }
}

fn instances(kernels: &[Kernel], ips: &IpLayout, findings: &mut Findings) {
    for (name, count) in repeated(kernels.iter().map(|kernel| &kernel.name)) {
        findings.error(Rule::DuplicateKernel, format!("kernel `{name}`"), format!("is described {count} times"));
    }
    for (name, count) in repeated(ips.ips.iter().map(|ip| &ip.name)) {
        findings.error(Rule::DuplicateKernel, format!("instance `{name}`"), format!("is listed {count} times"));
    }
    for (id, count) in repeated(ips.ips.iter().map(crate::xclbin::Ip::kernel_id)) {
        let names: Vec<&str> = ips.ips.iter().filter(|ip| ip.kernel_id() == id).map(|ip| ip.name.as_str()).collect();
        let message = format!("{count} instances have it: {}", names.join(", "));
        findings.error(Rule::DuplicateKernel, format!("kernel id {id:#x}"), message);
    }
    let listed: BTreeMap<&str, &crate::xclbin::Ip> = ips.ips.iter().map(|ip| (ip.name.as_str(), ip)).collect();
    let described: BTreeSet<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    for kernel in kernels {
        for instance in &kernel.instances {
            let name = format!("{}:{instance}", kernel.name);
            let place = format!("instance `{name}`");
            match listed.get(name.as_str()) {
                None => findings.error(Rule::InconsistentKernel, place, "is described but not listed"),
                Some(ip) if u32::from(ip.kernel_id()) != kernel.kernel_id => {
                    let message =
                        format!("is listed with id {:#x}, described with {:#x}", ip.kernel_id(), kernel.kernel_id);
                    findings.error(Rule::InconsistentKernel, place, message);
                }
                Some(_) => {}
            }
        }
    }
    for ip in &ips.ips {
        let name = ip.name.split_once(':').map_or(ip.name.as_str(), |(kernel, _)| kernel);
        if !described.contains(name) {
            let place = format!("instance `{}`", ip.name);
            findings.warning(Rule::InconsistentKernel, place, "belongs to a kernel that is not described");
        }
    }
}

fn groups(partition: &AiePartition, ips: &IpLayout, findings: &mut Findings) {
    let ids: Vec<u64> = partition.pdis.iter().flat_map(|pdi| &pdi.groups).flat_map(|g| g.kernel_ids.clone()).collect();
    for (id, count) in repeated(ids.iter()) {
        let message = format!("{count} CDO groups are for it; only one can be loaded");
        findings.error(Rule::DuplicateKernel, format!("kernel id {id:#x}"), message);
    }
    let listed: BTreeSet<u64> = ips.ips.iter().map(|ip| ip.kernel_id().into()).collect();
    let served: BTreeSet<u64> = ids.iter().copied().collect();
    for id in &served {
        if !listed.contains(id) {
            findings.error(Rule::InconsistentKernel, format!("kernel id {id:#x}"), "has a CDO group but no instance");
        }
    }
    for ip in ips.ips.iter().filter(|ip| !served.contains(&u64::from(ip.kernel_id()))) {
        let message = format!("no CDO group is for its id {:#x}", ip.kernel_id());
        findings.error(Rule::InconsistentKernel, format!("instance `{}`", ip.name), message);
    }
    let pdi_ids = partition.pdis.iter().flat_map(|pdi| &pdi.groups).map(|group| group.pdi_id);
    for (id, count) in repeated(pdi_ids) {
        findings.warning(Rule::DuplicateKernel, format!("PDI id {id:#x}"), format!("{count} CDO groups have it"));
    }
    for column in &partition.start_columns {
        if column.checked_add(partition.columns).is_none_or(|end| end > 8) {
            let message = format!("{} columns from column {column} on are more than any array has", partition.columns);
            findings.error(Rule::InconsistentKernel, "AIE partition", message);
        }
    }
    if partition.columns == 0 {
        findings.error(Rule::InconsistentKernel, "AIE partition", "has no columns");
    }
}

fn pdis(partition: &AiePartition, findings: &mut Findings) {
    for (index, pdi) in partition.pdis.iter().enumerate() {
        let place = format!("PDI {}", pdi.uuid);
        for other in &partition.pdis[index + 1..] {
            match (pdi.uuid == other.uuid, pdi.image == other.image) {
                (true, false) => {
                    findings.error(Rule::DuplicateKernel, &place, "names two different images");
                }
                (false, true) => {
                    let message =
                        format!("has the same image as PDI {}: were two kernels meant to differ?", other.uuid);
                    findings.warning(Rule::DuplicateKernel, &place, message);
                }
                (true, true) => findings.warning(Rule::DuplicateKernel, &place, "is there twice"),
                (false, false) => {}
            }
        }
        if pdi.groups.is_empty() {
            findings.warning(Rule::InconsistentKernel, &place, "is for no kernel");
        }
    }
}

fn connections(
    connectivity: &Connectivity,
    ips: &IpLayout,
    memory: &MemoryTopology,
    kernels: &[Kernel],
    findings: &mut Findings,
) {
    let place = |index: usize| format!("connection {index}");
    let arguments: BTreeMap<&str, usize> = kernels.iter().map(|k| (k.name.as_str(), k.arguments.len())).collect();
    for (index, connection) in connectivity.connections.iter().enumerate() {
        let ip = usize::try_from(connection.ip).ok().and_then(|ip| ips.ips.get(ip));
        let Some(ip) = ip else {
            let message = format!("instance {} does not exist", connection.ip);
            findings.error(Rule::InconsistentKernel, place(index), message);
            continue;
        };
        let bank = usize::try_from(connection.memory).ok().and_then(|bank| memory.banks.get(bank));
        if bank.is_none() {
            let message = format!("memory {} does not exist", connection.memory);
            findings.error(Rule::InconsistentKernel, place(index), message);
        }
        let count = ip.name.split(':').next().and_then(|name| arguments.get(name));
        if count.is_some_and(|count| usize::try_from(connection.argument).map_or(true, |argument| argument >= *count)) {
            let message = format!("`{}` has no argument {}", ip.name, connection.argument);
            findings.error(Rule::InconsistentKernel, place(index), message);
        }
    }
}
