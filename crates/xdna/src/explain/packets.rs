//! Control packets in words.
//!
//! A packet names its address in a tile, and by its id the way to it; which tile that is, only the routes of the configuration say.
//! The addresses that an id writes often fit one kind of tile better than the others.

use std::collections::BTreeMap;

use super::{Document, fit, steps::shown};
use crate::device::{Region, TileKind};
use crate::packet::{ControlOperation, ControlPacket, ControlStream, StreamHeader};
use crate::registers::Register;

/// What routes a packet: id and type.
type Route = (u8, u8);

/// Packets and probable kind of tile of a route.
type Routes = BTreeMap<Route, (usize, Option<TileKind>)>;

pub(super) fn stream(title: &str, stream: &ControlStream) -> Document {
    let routes = routes(stream);
    let mut document = Document::new(title);
    let slots = stream.packets.iter().any(|packet| !packet.padding.is_empty());
    let place = if slots { ", each in a slot of 32 bytes" } else { "" };
    document.line(format!("{} packets of {} ids{place}", stream.packets.len(), routes.len()));
    for (route, (count, kind)) in &routes {
        let to = kind.map_or_else(String::new, |kind| format!(", by their addresses to a {kind} tile"));
        document.line(format!("{}: {count} packets{to}", name(*route)));
    }
    document.parts.push(Document::numbered("packets", &lines(stream)));
    document
}

pub(super) fn lines(stream: &ControlStream) -> Vec<String> {
    let routes = routes(stream);
    let line = |packet: &crate::packet::RoutedPacket| {
        let route = route(&packet.header);
        let kind = routes.get(&route).and_then(|known| known.1);
        fit(format!("{}: {}", name(route), control(kind, &packet.control)))
    };
    stream.packets.iter().map(line).collect()
}

const fn route(header: &StreamHeader) -> Route {
    (header.id, header.kind)
}

fn name((id, kind): Route) -> String {
    if kind == 0 { format!("id {id}") } else { format!("id {id}, type {kind}") }
}

fn routes(stream: &ControlStream) -> Routes {
    // Per kind of tile: words of registers, and whether all words lie on something.
    let mut fits: BTreeMap<Route, (usize, [Option<usize>; 3])> = BTreeMap::new();
    for packet in &stream.packets {
        let (count, scores) = fits.entry(route(&packet.header)).or_insert((0, [Some(0); 3]));
        *count += 1;
        for (score, kind) in scores.iter_mut().zip(TileKind::ALL) {
            *score = score.and_then(|sum| Some(sum + registers(kind, &packet.control)?));
        }
    }
    fits.into_iter().map(|(route, (count, scores))| (route, (count, best(scores)))).collect()
}

/// How many words of an access are registers in a kind of tile; `None` if there is nothing under one of them.
fn registers(kind: TileKind, packet: &ControlPacket) -> Option<usize> {
    let places = (packet.address..).step_by(4).take(packet.words.into());
    places.map(|place| Some(usize::from(matches!(kind.region(place)?, Region::Register(_))))).sum()
}

/// The kind with most registers, if there is exactly one.
fn best(scores: [Option<usize>; 3]) -> Option<TileKind> {
    let most = scores.into_iter().flatten().max()?;
    let mut kinds = TileKind::ALL.into_iter().zip(scores).filter(|(_, score)| *score == Some(most));
    let (kind, _) = kinds.next()?;
    kinds.next().is_none().then_some(kind)
}

fn control(kind: Option<TileKind>, packet: &ControlPacket) -> String {
    let words = packet.words;
    let last = packet.address.saturating_add(4 * u32::from(words.saturating_sub(1)));
    let place = place(kind, packet.address);
    let place = if words > 1 { format!("{place} to {}", self::place(kind, last)) } else { place };
    match (packet.operation, packet.data.as_slice()) {
        (ControlOperation::Read, _) => format!("read {place}, {words} words, answer as {}", packet.response),
        (_, [value]) => match kind.and_then(|kind| Register::at(kind, packet.address)) {
            Some(register) => format!("{place} := {}", register.describe(*value)),
            None => format!("{place} := {value:#x}"),
        },
        (_, data) => format!("{place} := {words} words{}", shown(data)),
    }
}

fn place(kind: Option<TileKind>, offset: u32) -> String {
    match kind.and_then(|kind| kind.region(offset)) {
        Some(Region::Register(register)) => register.name().to_string(),
        Some(Region::DataMemory) => format!("memory {offset:#x}"),
        _ => format!("{offset:#x}"),
    }
}
