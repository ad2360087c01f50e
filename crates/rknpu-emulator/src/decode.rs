//! Programs decoded once: what a task does is known from its program and the programs before it in the submission.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use ferrite_rknpu::Program;
use ferrite_rknpu::typed::ranges::{self, Region};
use ferrite_rknpu::typed::{Banks, Job, ReplayError};

use crate::check::{self, Cost};
use crate::error::Error;

/// A task as its registers tell it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) job: Job,
    pub(crate) regions: Vec<Region>,
    pub(crate) cost: Cost,
    /// The program it comes from; the key, together with the state before it.
    program: Vec<u8>,
    /// What the banks hold behind it.
    behind: State,
}

/// A number for the contents of the banks: equal numbers, equal contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct State(u64);

/// Everything decoded so far, by the state of the banks and the program. Programs are compared as a whole; the hash only finds
/// candidates.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    known: HashMap<(State, u64), Vec<Arc<Decoded>>>,
    states: u64,
    bytes: usize,
}

/// Programs of so many bytes are remembered.
const CACHE_BYTES: usize = 32 << 20;

/// The banks of one core during a submission.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    state: State,
    /// Programs so far, as long as nothing had to be decoded.
    done: Vec<Arc<Decoded>>,
    /// Registers behind the first `applied` of them.
    banks: Banks,
    applied: usize,
}

/// Why a program gives no task.
pub(crate) enum Failure {
    Replay(ReplayError),
    Error(Error),
}

impl Cache {
    /// The task that `program`, whose place in the list is `task`, makes of the banks.
    pub(crate) fn decode(
        &mut self,
        sequence: &mut Sequence,
        task: usize,
        program: &[u8],
    ) -> Result<Arc<Decoded>, Failure> {
        let mut hasher = DefaultHasher::new();
        hasher.write(program);
        let key = (sequence.state, hasher.finish());
        let known = self.known.get(&key).and_then(|known| known.iter().find(|known| known.program == program));
        let decoded = match known {
            Some(known) => Arc::clone(known),
            None => {
                sequence.catch_up().map_err(Failure::Replay)?;
                let made = self.make(sequence, task, program)?;
                self.bytes += program.len() + size_of::<Decoded>();
                self.known.entry(key).or_default().push(Arc::clone(&made));
                made
            }
        };
        sequence.state = decoded.behind;
        sequence.done.push(Arc::clone(&decoded));
        Ok(decoded)
    }

    fn make(&mut self, sequence: &mut Sequence, task: usize, program: &[u8]) -> Result<Arc<Decoded>, Failure> {
        if self.bytes > CACHE_BYTES {
            // States keep their numbers, so sequences under way stay valid.
            (self.known, self.bytes) = (HashMap::new(), 0);
        }
        // The length is a multiple of eight.
        let commands = Program::from_bytes(program).unwrap_or_default().commands;
        let state = sequence.banks.apply(&commands).map_err(Failure::Replay)?;
        sequence.applied += 1;
        let job = Job::decode(&state);
        debug_assert_eq!(job.state().as_ref(), Ok(&state), "task {task}: the typed form lost something");
        check::modelled(task, &job).map_err(Failure::Error)?;
        let regions = ranges::regions(&job).map_err(|source| Failure::Error(Error::Layout { task, source }))?;
        let cost = check::cost(&job, &regions);
        self.states += 1;
        Ok(Arc::new(Decoded { job, regions, cost, program: program.to_vec(), behind: State(self.states) }))
    }
}

impl Sequence {
    /// Brings the banks up to the present.
    fn catch_up(&mut self) -> Result<(), ReplayError> {
        for done in &self.done[self.applied..] {
            self.banks.apply(&Program::from_bytes(&done.program).unwrap_or_default().commands)?;
        }
        self.applied = self.done.len();
        Ok(())
    }
}
