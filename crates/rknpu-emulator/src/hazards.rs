//! What the cores of a submission do to each other.

use std::ops::Range;
use std::sync::Arc;

use ferrite_device::IntervalSet;
use ferrite_rknpu::typed::ranges::{Direction, Region};

use crate::decode::Decoded;
use crate::error::{Error, Party};
use crate::task::register_name;

/// What every core read and wrote so far in a submission.
#[derive(Debug, Default)]
pub(crate) struct Hazards {
    cores: [Touched; 3],
}

#[derive(Debug, Default)]
struct Touched {
    reads: IntervalSet,
    writes: IntervalSet,
    /// The tasks, to name one when it comes to that.
    tasks: Vec<(usize, Arc<Decoded>)>,
}

impl Hazards {
    /// Records what a task is about to touch.
    ///
    /// # Errors
    /// [`Error::CoreConflict`] if another core writes any of what it reads, or reads any of what it writes. That two cores write
    /// the same bytes is none: the vendor's programs do it, in pooling tasks; whether anything reads those is not known.
    pub(crate) fn touch(&mut self, core: usize, task: usize, decoded: &Arc<Decoded>) -> Result<(), Error> {
        for region in &decoded.regions {
            let writes = region.direction == Direction::Write;
            let others = self.cores.iter().enumerate().filter(|(other, _)| *other != core);
            for (other, touched) in others {
                if let Some(range) = touched.meets(region, writes) {
                    let of = |index, core, region: &Region| {
                        let writes = region.direction == Direction::Write;
                        Box::new(Party { index, core, register: register_name(region.register), writes })
                    };
                    let direction = if writes { Direction::Read } else { Direction::Write };
                    let (index, culprit) = touched.culprit(&range, direction).unwrap_or((task, region));
                    return Err(Error::CoreConflict {
                        task: of(task, core, region),
                        other: of(index, other, culprit),
                        range,
                    });
                }
            }
        }
        if let Some(own) = self.cores.get_mut(core) {
            for region in &decoded.regions {
                let set = if region.direction == Direction::Write { &mut own.writes } else { &mut own.reads };
                region.for_each_run(&mut |run| set.insert(device_range(&run)));
            }
            own.tasks.push((task, Arc::clone(decoded)));
        }
        Ok(())
    }
}

impl Touched {
    /// The first bytes of a region that this core wrote, or, if the region is written, read.
    fn meets(&self, region: &Region, written: bool) -> Option<Range<u64>> {
        let against = if written { &self.reads } else { &self.writes };
        let mut found = None;
        region.for_each_run(&mut |run| found = found.take().or_else(|| against.first_within(&device_range(&run))));
        found
    }

    /// The task and the region of this core that touch a range in a direction.
    fn culprit(&self, range: &Range<u64>, direction: Direction) -> Option<(usize, &Region)> {
        let touches = |region: &&Region| {
            let mut hit = false;
            region.for_each_run(&mut |run| {
                let run = device_range(&run);
                hit |= run.start < range.end && range.start < run.end;
            });
            hit && region.direction == direction
        };
        self.tasks.iter().find_map(|(index, task)| Some((*index, task.regions.iter().find(touches)?)))
    }
}

/// Addresses below zero are an error of their own when they are used.
fn device_range(run: &Range<i64>) -> Range<u64> {
    u64::try_from(run.start).unwrap_or(0)..u64::try_from(run.end).unwrap_or(0)
}
