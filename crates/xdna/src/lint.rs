//! What a file would do wrong.
//!
//! [`lint`] judges a file by itself. Core programs are not analysed: what a core's code does with locks and streams is unknown, and
//! nothing is claimed that it could refute.

mod kernels;
mod locks;
mod program;

use std::fmt;

use crate::base64::Base64;
use crate::cdo::Cdo;
use crate::elf::Elf;
use crate::error::Result;
use crate::pdi::Pdi;
use crate::sniff::{FileKind, sniff};
use crate::txn::Stream;
use crate::txn::aiebu::AiebuListing;
use crate::xclbin::Xclbin;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Probably not what is meant.
    Warning,
    /// Will fail or hang.
    Error,
}

impl Severity {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// Two kernels of one name or id, or two equal PDIs under different names.
    DuplicateKernel,
    /// Tables that contradict each other.
    InconsistentKernel,
    /// An address where no tile, or nothing in the tile, is.
    AddressOutsideTile,
    /// A buffer descriptor over a limit.
    DescriptorLimit,
    /// A lock that can never be acquired.
    LockNeverAcquired,
    /// A result that nobody waits for, or a descriptor that is changed while it may be in use.
    MissingSync,
    /// A wait for a token that no task sends.
    SyncWithoutTask,
    /// More tasks than a queue holds.
    QueueOverflow,
    /// An operation that is not known.
    UnknownOperation,
    /// There are more findings than are listed.
    MoreFindings,
}

impl Rule {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DuplicateKernel => "duplicate-kernel",
            Self::InconsistentKernel => "inconsistent-kernel",
            Self::AddressOutsideTile => "address-outside-tile",
            Self::DescriptorLimit => "descriptor-limit",
            Self::LockNeverAcquired => "lock-never-acquired",
            Self::MissingSync => "missing-sync",
            Self::SyncWithoutTask => "sync-without-task",
            Self::QueueOverflow => "queue-overflow",
            Self::UnknownOperation => "unknown-operation",
            Self::MoreFindings => "more-findings",
        }
    }
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// By which rule.
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// Where: part of the file, operation or command.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {} [{}]", self.severity, self.place, self.message, self.rule.name())
    }
}

/// Findings that are listed at most: a corrupt file can have any number.
const LIMIT: usize = 1000;

/// Findings as they are made.
#[derive(Debug, Default)]
struct Findings {
    list: Vec<Finding>,
    omitted: usize,
    /// The part of the file that is being judged.
    part: String,
}

impl Findings {
    fn add(&mut self, rule: Rule, severity: Severity, place: impl fmt::Display, message: impl Into<String>) {
        if self.list.len() >= LIMIT {
            self.omitted += 1;
            return;
        }
        let place = if self.part.is_empty() { place.to_string() } else { format!("{}, {place}", self.part) };
        self.list.push(Finding { rule, severity, place, message: message.into() });
    }

    fn error(&mut self, rule: Rule, place: impl fmt::Display, message: impl Into<String>) {
        self.add(rule, Severity::Error, place, message);
    }

    fn warning(&mut self, rule: Rule, place: impl fmt::Display, message: impl Into<String>) {
        self.add(rule, Severity::Warning, place, message);
    }

    fn finish(mut self) -> Vec<Finding> {
        if self.omitted > 0 {
            let message = format!("there are {} more findings", self.omitted);
            let (rule, severity, place) = (Rule::MoreFindings, Severity::Warning, "file".to_owned());
            self.list.push(Finding { rule, severity, place, message });
        }
        self.list
    }
}

/// Judges a file. What is no file for AMD XDNA has no findings, nor has a core program, a trace or control
/// packets.
///
/// # Errors
/// If it is one, but unsound.
pub fn lint(bytes: &[u8]) -> Result<Vec<Finding>> {
    let mut findings = Findings::default();
    match sniff(bytes) {
        FileKind::Xclbin => xclbin(&Xclbin::decode(bytes)?, &mut findings)?,
        FileKind::Pdi => pdi(&Pdi::decode(bytes)?, None, &mut findings),
        FileKind::Cdo => configuration(&Cdo::decode(bytes)?, None, &mut findings),
        FileKind::InstructionStream => program::stream(&Stream::decode(bytes)?, &mut findings),
        FileKind::InstructionText => {
            program::stream(&Stream::parse(&String::from_utf8_lossy(bytes))?, &mut findings);
        }
        FileKind::AiebuListing => {
            program::stream(&AiebuListing::parse(&String::from_utf8_lossy(bytes))?.stream(), &mut findings);
        }
        FileKind::ControlCode => elf(&Elf::decode(bytes)?, &mut findings)?,
        FileKind::Base64 => return lint(&Base64::decode(&String::from_utf8_lossy(bytes))?.bytes),
        _ => {}
    }
    Ok(findings.finish())
}

/// Judges an instruction stream.
pub fn lint_stream(stream: &Stream) -> Vec<Finding> {
    let mut findings = Findings::default();
    program::stream(stream, &mut findings);
    findings.finish()
}

/// Judges a configuration for a partition of so many columns.
pub fn lint_configuration(cdo: &Cdo, columns: Option<u8>) -> Vec<Finding> {
    let mut findings = Findings::default();
    configuration(cdo, columns, &mut findings);
    findings.finish()
}

fn configuration(cdo: &Cdo, columns: Option<u8>, findings: &mut Findings) {
    program::configuration(cdo, columns, findings);
    locks::configuration(cdo, findings);
}

fn pdi(pdi: &Pdi, columns: Option<u8>, findings: &mut Findings) {
    if let Some(cdo) = pdi.cdo() {
        configuration(cdo, columns, findings);
    }
}

fn xclbin(xclbin: &Xclbin, findings: &mut Findings) -> Result<()> {
    kernels::xclbin(xclbin, findings)?;
    let partition = xclbin.partition()?.unwrap_or_default();
    let columns = u8::try_from(partition.columns).ok();
    for part in &partition.pdis {
        findings.part = format!("PDI {}", part.uuid);
        match Pdi::decode_at(&part.image, part.place) {
            Ok(image) => pdi(&image, columns, findings),
            Err(error) => findings.error(Rule::InconsistentKernel, "image", error.to_string()),
        }
    }
    findings.part.clear();
    Ok(())
}

fn elf(elf: &Elf, findings: &mut Findings) -> Result<()> {
    elf.control_code()?;
    for section in &elf.sections {
        let at = section.offset as usize;
        findings.part = format!("`{}`", section.name);
        if section.name.starts_with(".ctrltext") {
            program::stream(&Stream::decode_at(&section.data, at)?, findings);
        } else if section.name.starts_with(".pdi") {
            pdi(&Pdi::decode_at(&section.data, at)?, None, findings);
        }
    }
    findings.part.clear();
    Ok(())
}
