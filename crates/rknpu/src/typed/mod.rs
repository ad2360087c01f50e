//! Typed decode: what the programs of a submission do, task by task.
