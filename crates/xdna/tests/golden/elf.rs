use crate::check::Tally;

pub(crate) fn control_code(_: &mut Tally) {}
pub(crate) fn full(_: &mut Tally) {}
