//! When each task would run, by the cycle model: for a picture of a run.

use std::collections::HashMap;

use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Error, Job, Plan, PlanOptions, Step};
use ferrite_rknpu::{CoreMask, TaskRange};

use crate::cycles::{TaskCost, task_costs};
use crate::programs::Programs;

/// One task on one core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The core, from 0.
    pub core: usize,
    /// Its first cycle.
    pub start: u64,
    /// What it costs; it lasts [`TaskCost::cycles`].
    pub cost: TaskCost,
}

/// A run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The tasks.
    pub spans: Vec<Span>,
    /// Operators on the CPU and the cycle at which they run; how long they take is not known.
    pub host: Vec<(usize, u64)>,
    /// Cycles until the last task is done.
    pub cycles: u64,
}

impl Timeline {
    /// The run of a model on so many cores, 1 to 3. A submission is a barrier between cores; within it each core runs its tasks
    /// one after the other. That cores share DDR is not considered.
    ///
    /// # Errors
    /// When there is no plan for so many cores.
    pub fn new(model: &Model, cores: usize) -> Result<Self, Error> {
        let mask = match cores {
            2 => CoreMask(3),
            3 => CoreMask(7),
            _ => CoreMask::default(),
        };
        let plan = Plan::new(model, &PlanOptions::default().with_cores(mask))?;
        let programs = Programs::new(model);
        let regions = programs.regions().iter().filter(|region| region.cores == cores);
        let costs = regions.flat_map(|region| task_costs(&programs, region)).map(|cost| (cost.task, cost));
        let costs: HashMap<usize, TaskCost> = costs.collect();
        let mut timeline = Self::default();
        for step in plan.steps() {
            match step {
                Step::Host { operator, .. } => timeline.host.push((*operator, timeline.cycles)),
                Step::Submit(job) => timeline.submit(job, &costs),
            }
        }
        Ok(timeline)
    }

    fn submit(&mut self, job: &Job, costs: &HashMap<usize, TaskCost>) {
        let begin = self.cycles;
        for (core, range) in ranges(job).iter().enumerate() {
            let mut now = begin;
            for task in range.start..range.start.saturating_add(range.number) {
                let Some(cost) = costs.get(&(task as usize)) else { continue };
                self.spans.push(Span { core, start: now, cost: cost.clone() });
                now = now.saturating_add(cost.cycles());
            }
            self.cycles = self.cycles.max(now);
        }
    }
}

/// The tasks of each core. The driver reads other entries for three cores than for fewer.
fn ranges(job: &Job) -> &[TaskRange] {
    match job.core_mask.0 {
        7 => &job.subcores[2..5],
        3 => &job.subcores[..2],
        _ => &job.subcores[..1],
    }
}
