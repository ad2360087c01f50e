//! Locks that can never be acquired, judged from initial values and descriptors.

use std::collections::BTreeMap;

use super::{Findings, Rule};
use crate::action::{Action, Descriptors};
use crate::cdo::Cdo;
use crate::device::{Region, Tile, TileKind};
use crate::registers::field;

/// What is known of a lock.
#[derive(Debug, Default, Clone, Copy)]
struct Known {
    initial: i32,
    /// Whether some descriptor raises it.
    raised: bool,
    /// Whether some descriptor lowers it, by acquiring or by releasing a negative value.
    lowered: bool,
}

pub(super) fn configuration(cdo: &Cdo, findings: &mut Findings) {
    let mut descriptors = Descriptors::default();
    let mut locks: BTreeMap<(Tile, u8), Known> = BTreeMap::new();
    let mut programs: Vec<Tile> = Vec::new();
    for command in &cdo.commands {
        let action = Action::of_command(command);
        descriptors.apply(&action);
        let Action::Write { address, data } = action else { continue };
        let tile = address.tile();
        let Some(kind) = tile.kind() else { continue };
        if kind.region(address.offset()) == Some(Region::ProgramMemory) && !programs.contains(&tile) {
            programs.push(tile);
        }
        for (index, value) in data.iter().enumerate().take(64 * 4) {
            if let Some(lock) = kind.lock_at(address.offset().wrapping_add(4 * index as u32)) {
                locks.entry((tile, lock)).or_default().initial =
                    field::memory::lockn_value::LOCK_VALUE.get_signed(*value);
            }
        }
    }
    for (tile, _, descriptor) in descriptors.iter().filter(|(_, _, descriptor)| descriptor.valid) {
        if let Some(place) = lock_place(tile, descriptor.release.lock) {
            let known = locks.entry(place).or_default();
            known.raised |= descriptor.release.value > 0;
            known.lowered |= descriptor.release.value < 0;
        }
        if let Some(place) = lock_place(tile, descriptor.acquire.lock).filter(|_| descriptor.acquire.enabled) {
            locks.entry(place).or_default().lowered |= descriptor.acquire.value != 0;
        }
    }
    for (tile, id, descriptor) in descriptors.iter().filter(|(_, _, d)| d.valid && d.acquire.enabled) {
        let Some(place) = lock_place(tile, descriptor.acquire.lock) else { continue };
        // A core program that reaches the lock may do anything with it, and what the host sets at run time is not seen here.
        if programs.iter().any(|program| reaches(*program, place.0)) {
            continue;
        }
        let known = locks.get(&place).copied().unwrap_or_default();
        let wanted = i32::from(descriptor.acquire.value);
        let possible = if wanted < 0 {
            known.initial >= -wanted || known.raised
        } else {
            known.initial == wanted
                || (wanted > known.initial && known.raised)
                || (wanted < known.initial && known.lowered)
        };
        if !possible {
            let sign = if wanted < 0 { "at least" } else { "exactly" };
            let message = format!(
                "waits until lock {} of tile {} is {sign} {}; it starts at {} and no descriptor changes it so",
                place.1,
                place.0,
                wanted.abs(),
                known.initial
            );
            findings.warning(Rule::LockNeverAcquired, format!("tile {tile} buffer descriptor {id}"), message);
        }
    }
}

/// The lock that a number in a tile's descriptors means. Memory tiles count those of the western neighbour first, then their own,
/// then those of the eastern one.
fn lock_place(tile: Tile, number: u8) -> Option<(Tile, u8)> {
    let kind = tile.kind()?;
    if kind != TileKind::Memory {
        return (number < kind.facts().locks).then_some((tile, number));
    }
    let column = match number / 64 {
        0 => tile.column.checked_sub(1)?,
        1 => tile.column,
        2 => tile.column.checked_add(1)?,
        _ => return None,
    };
    Some((Tile { column, ..tile }, number % 64))
}

/// Whether the core of a tile reaches the locks of another: its own and those of the neighbours whose memory it reaches.
fn reaches(core: Tile, tile: Tile) -> bool {
    let near = core.column.abs_diff(tile.column) + core.row.abs_diff(tile.row) <= 1;
    tile.kind() == Some(TileKind::Core) && near
}
