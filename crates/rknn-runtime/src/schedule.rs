//! Which tasks go to the device together, and to which cores.
//!
//! The task list has six regions: the tasks for one core, for the first and second of two, and for each of three. Operators
//! say how many tasks they have in each. The rules below were read off what the vendor's runtime submits for 471 runs of
//! models under all masks, and predict every one of them.

use ferrite_rknn::{Model, Operator, Target};
use ferrite_rknpu::{CoreMask, JobFlags, TaskRange, TaskRecord};

use crate::Error;

/// One submission of a run, with the numbers where the vendor's runtime puts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// How to run it.
    pub flags: JobFlags,
    /// The cores that run it; empty leaves the choice of one to the driver.
    pub core_mask: CoreMask,
    /// The driver's task range.
    pub range: TaskRange,
    /// The tasks of each core; see [`ferrite_rknpu::Submission::subcores`].
    pub subcores: [TaskRange; 5],
    /// Tasks that run, on all cores together.
    pub tasks: usize,
}

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Tasks for the NPU.
    Submit(Job),
    /// An operator that the model assigns to the host.
    Host {
        /// Its index.
        operator: usize,
        /// Its type.
        kind: String,
        /// Its name.
        name: String,
    },
}

/// Stands in the second range for "no third core".
const NO_CORE: TaskRange = TaskRange { start: u32::MAX, number: 0 };

/// The regions of the task list that the cores of a mask run.
fn regions(mask: CoreMask) -> Result<&'static [usize], Error> {
    match mask.0 {
        0 | 1 | 2 | 4 => Ok(&[0]),
        3 => Ok(&[1, 2]),
        7 => Ok(&[3, 4, 5]),
        other => {
            let feature = format!("core mask {other:#x} (there are 1, 2 and 4 for one core, 3 for two, 7 for three)");
            Err(Error::Unsupported { part: "plan".to_owned(), feature })
        }
    }
}

/// Submissions and host operators in execution order.
pub(crate) fn steps(model: &Model, tasks: &[TaskRecord], mask: CoreMask) -> Result<Vec<Step>, Error> {
    let regions = regions(mask)?;
    let before = |region: usize| {
        let counts = model.operators().iter().flat_map(|operator| (0..region).map(|r| operator.task_count(r)));
        counts.fold(0_u32, u32::saturating_add)
    };
    let mut walk = Walk {
        steps: Vec::new(),
        open: None,
        next: regions.iter().map(|&region| before(region)).collect(),
        start: None,
        mask,
    };
    for (index, operator) in model.operators().iter().enumerate() {
        let counts: Vec<u32> = regions.iter().map(|&region| operator.task_count(region)).collect();
        let ranges = walk.take(&counts);
        for range in &ranges {
            check_owner(tasks, *range, index, operator)?;
        }
        if counts[0] == 0 && operator.task_count(0) > 0 {
            let feature = format!("a plan for {} cores (the file has none)", regions.len());
            return Err(Error::Unsupported { part: format!("operator `{}`", operator.name), feature });
        }
        // The programs of graph inputs fill row gaps; the host does so when it converts. Outputs end a submission.
        let boundary = matches!(operator.kind.as_str(), "InputOperator" | "OutputOperator");
        if operator.target != Target::NPU || boundary {
            walk.close();
            if !boundary {
                let (kind, name) = (operator.kind.clone(), operator.name.clone());
                walk.steps.push(Step::Host { operator: index, kind, name });
            }
        } else if counts[0] > 0 {
            // Tasks that load lookup tables run without ping-pong.
            let flags = if operator.lut_tasks[0] > 0 { JobFlags::PC } else { JobFlags::PC | JobFlags::PINGPONG };
            walk.add(flags, &ranges);
        }
    }
    walk.close();
    Ok(walk.finish())
}

/// Every task of a range must say that it belongs to the operator.
fn check_owner(tasks: &[TaskRecord], range: TaskRange, index: usize, operator: &Operator) -> Result<(), Error> {
    let TaskRange { start, number } = range;
    let part = || format!("operator {index} `{}`", operator.name);
    let end = start.checked_add(number).map(|end| end as usize);
    let own = end.and_then(|end| tasks.get(start as usize..end)).ok_or_else(|| {
        let reason = format!("its {number} tasks from number {start} are not in the list of {}", tasks.len());
        Error::inconsistent(part(), reason)
    })?;
    match own.iter().find(|task| task.op_idx as usize != index) {
        None => Ok(()),
        Some(task) => {
            let reason = format!("one of its tasks says that it belongs to operator {}", task.op_idx);
            Err(Error::inconsistent(part(), reason))
        }
    }
}

/// A submission that operators may still join.
struct Open {
    flags: JobFlags,
    /// The range of each core.
    ranges: Vec<TaskRange>,
    split: bool,
}

struct Walk {
    steps: Vec<Step>,
    open: Option<Open>,
    /// The next task of each core.
    next: Vec<u32>,
    /// Where the driver's range of the next submission starts, once there was one.
    start: Option<u32>,
    mask: CoreMask,
}

impl Walk {
    /// The next `counts` tasks of each core.
    fn take(&mut self, counts: &[u32]) -> Vec<TaskRange> {
        let advance = |(next, &number): (&mut u32, &u32)| {
            let start = *next;
            *next = next.saturating_add(number);
            TaskRange { start, number }
        };
        self.next.iter_mut().zip(counts).map(advance).collect()
    }

    /// Adds an operator. One whose tasks several cores share is a submission of its own; others join the open one if
    /// the flags agree, on the first core.
    fn add(&mut self, flags: JobFlags, ranges: &[TaskRange]) {
        let split = ranges[1..].iter().any(|range| range.number > 0);
        let joins = |open: &Open| !split && !open.split && open.flags == flags;
        match &mut self.open {
            Some(open) if joins(open) => open.ranges[0].number += ranges[0].number,
            _ => {
                self.close();
                self.open = Some(Open { flags, ranges: ranges.to_vec(), split });
            }
        }
    }

    fn close(&mut self) {
        let Some(Open { flags, ranges, split }) = self.open.take() else { return };
        let none = TaskRange::default();
        let total: u32 = ranges.iter().map(|range| range.number).sum();
        let tasks = total as usize;
        let job = if let [range] = ranges[..] {
            // The driver may choose the core, so all entries agree, and the count is that of all three.
            let tripled = TaskRange { start: range.start, number: range.number.saturating_mul(3) };
            Job { flags, core_mask: self.mask, range: tripled, subcores: [range, range, range, none, none], tasks }
        } else {
            let start = self.start.unwrap_or(ranges[0].start);
            self.start = Some(start.saturating_add(total));
            let [first, second, third] = [ranges[0], ranges[1], ranges.get(2).copied().unwrap_or(NO_CORE)];
            let core_mask = if split { self.mask } else { CoreMask::CORE0 };
            let subcores =
                if split { [first, second, first, second, third] } else { [first, second, third, none, none] };
            Job { flags, core_mask, range: TaskRange { start, number: total }, subcores, tasks }
        };
        self.steps.push(Step::Submit(job));
    }

    fn finish(self) -> Vec<Step> {
        self.steps
    }
}
