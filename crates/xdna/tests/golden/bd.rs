use crate::check::Tally;

pub(crate) fn all(_: &mut Tally) {}
pub(crate) fn device_model(_: &mut Tally) {}
