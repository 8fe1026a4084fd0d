//! The boxes of any number of drawings, by several threads.

use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::RecordBatch;
use boxwood_query::question::boxes_query;
use boxwood_query::{BoxRow, BoxesQuery};
use boxwood_svg::{CancelToken, Drawing, Options};
use pyo3::exceptions::{PyException, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::errors::{Failure, value_error};
use crate::settings::Settings;
use crate::signals::receive;
use crate::source::Source;
use crate::table::{Columns, Table};

/// The number of drawings that a thread takes at a time. A batch of Arrow has as many.
const DRAWINGS_PER_TASK: usize = 16;

/// The number of tasks per thread that are read ahead. It is enough that one slow drawing does not
/// stop the other threads, and few enough that the drawings of a generator do not fill the memory.
const TASKS_PER_THREAD: usize = 4;

/// The largest number of threads.
const MAX_THREADS: usize = 1024;

/// Tables with the boxes of the drawings of an iterable, in its order.
#[pyclass(module = "boxwood._boxwood")]
#[derive(Debug)]
pub(crate) struct Batches {
    drawings: Py<PyIterator>,
    /// Whether `drawings` has ended.
    is_read: bool,
    /// The number of drawings that were read.
    n_read: i64,
    workers: Workers,
    /// The results of the tasks, in the order of the drawings. The lock only makes this `Sync`.
    waiting: Mutex<VecDeque<Receiver<TaskResult>>>,
    /// What is raised after the results.
    error: Option<PyErr>,
}

/// The rows of a task, and the error that ended it.
type TaskResult = (RecordBatch, Option<Failure>);

#[pymethods]
impl Batches {
    #[new]
    fn new(
        drawings: &Bound<'_, PyAny>,
        words: Vec<String>,
        settings: &Settings,
        threads: Option<i64>,
        raises: bool,
    ) -> PyResult<Self> {
        let query = boxes_query(&words).map_err(|error| value_error(&error))?;
        query.check().map_err(|error| value_error(&error))?;
        let n_threads = match threads {
            None => thread::available_parallelism().map_or(1, NonZero::get),
            Some(n) => {
                usize::try_from(n).ok().filter(|n| (1..=MAX_THREADS).contains(n)).ok_or_else(|| {
                    let message =
                        format!("threads must be from 1 to {MAX_THREADS}, or None for all cores, not {n}");
                    PyValueError::new_err(message)
                })?
            }
        };
        Ok(Self {
            drawings: drawings.try_iter()?.unbind(),
            is_read: false,
            n_read: 0,
            workers: Workers::new(query, settings.options.clone(), raises, n_threads)?,
            waiting: Mutex::default(),
            error: None,
        })
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Table>> {
        // A task may be ready each time, so that nobody waits and looks at signals.
        py.check_signals().and_then(|()| self.read_ahead(py)).inspect_err(|_| self.stop())?;
        let Some(result) = self.waiting().pop_front() else {
            return self.error.take().map_or(Ok(None), Err);
        };
        let (batch, failure) = receive(py, result).inspect_err(|_| self.stop())?;
        if let Some(failure) = failure {
            self.stop();
            self.error = Some(failure.into());
            // What was done before the error is not lost.
            if batch.num_rows() == 0 {
                return self.error.take().map_or(Ok(None), Err);
            }
        }
        Ok(Some(Table { batches: vec![batch] }))
    }
}

impl Batches {
    fn waiting(&mut self) -> &mut VecDeque<Receiver<TaskResult>> {
        self.waiting.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads drawings from Python until all threads have enough tasks.
    fn read_ahead(&mut self, py: Python<'_>) -> PyResult<()> {
        while !self.is_read && self.waiting().len() < self.workers.n_threads * TASKS_PER_THREAD {
            let mut task = Vec::with_capacity(DRAWINGS_PER_TASK);
            while task.len() < DRAWINGS_PER_TASK {
                let drawing = match self.drawings.bind(py).clone().next() {
                    Some(Ok(drawing)) => drawing,
                    Some(Err(error)) if is_stop(py, &error) => return Err(error),
                    // The exception is raised after the results of the drawings before it.
                    Some(Err(error)) => {
                        self.error = Some(error);
                        self.is_read = true;
                        break;
                    }
                    None => {
                        self.is_read = true;
                        break;
                    }
                };
                let source = match Source::of(&drawing) {
                    Ok(source) => source,
                    Err(error) if is_stop(py, &error) => return Err(error),
                    // An object of another type, such as None, is a drawing that cannot be loaded.
                    Err(error) => Source::Invalid(Failure::new(error.value(py).to_string())),
                };
                task.push((self.n_read, source));
                self.n_read += 1;
            }
            if !task.is_empty() {
                let (sender, result) = mpsc::channel();
                self.workers.give(task, sender);
                self.waiting().push_back(result);
            }
        }
        Ok(())
    }

    /// Gives up what is not done.
    fn stop(&mut self) {
        self.is_read = true;
        self.waiting().clear();
        self.workers.cancel.set(true);
    }
}

/// Whether an exception is to end the program, as that of Ctrl-C is, and not about a drawing.
fn is_stop(py: Python<'_>, error: &PyErr) -> bool {
    !error.is_instance_of::<PyException>(py) || error.is_instance_of::<PyMemoryError>(py)
}

type Task = (Vec<(i64, Source)>, Sender<TaskResult>);

/// Threads that load drawings. They end when this is dropped.
#[derive(Debug)]
struct Workers {
    n_threads: usize,
    queue: Sender<Task>,
    cancel: CancelToken,
}

impl Workers {
    fn new(query: BoxesQuery, options: Options, raises: bool, n_threads: usize) -> PyResult<Self> {
        let cancel = CancelToken::default();
        let options = Options { cancel: Some(cancel.clone()), ..options };
        let (queue, queued) = mpsc::channel::<Task>();
        let (query, queued) = (Arc::new(query), Arc::new(Mutex::new(queued)));
        for _ in 0..n_threads {
            let (query, options, queued) = (Arc::clone(&query), options.clone(), Arc::clone(&queued));
            let cancel = cancel.clone();
            let next = move || queued.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
            let work = move || {
                while let Some((task, result)) = next() {
                    // Nobody waits for a result after an error or Ctrl-C.
                    let _ = result.send(boxes(task, &query, &options, raises, &cancel));
                }
            };
            thread::Builder::new().spawn(work)?;
        }
        Ok(Self { n_threads, queue, cancel })
    }

    fn give(&self, task: Vec<(i64, Source)>, result: Sender<TaskResult>) {
        // The queue is closed only if all threads have crashed. Then `result` is dropped, which the
        // receiver notices.
        let _ = self.queue.send((task, result));
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.cancel.set(true);
    }
}

/// The rows of some drawings. With `raises`, the first drawing that cannot be loaded ends them.
fn boxes(
    task: Vec<(i64, Source)>,
    query: &BoxesQuery,
    options: &Options,
    raises: bool,
    cancel: &CancelToken,
) -> TaskResult {
    let mut columns = Columns::default();
    let mut failed = None;
    for (index, source) in task {
        if cancel.is_set() {
            break;
        }
        let file = source.path().map(|path| path.to_string_lossy().into_owned());
        let file = file.as_deref();
        let answered = source.load(options).and_then(|(_, drawing, _)| {
            let rows = rows(query, &drawing)?;
            rows.iter().for_each(|row| columns.add_row(index, file, &drawing, row));
            if rows.is_empty() {
                columns.add_empty(index, file, &drawing);
            }
            Ok(())
        });
        match answered {
            Err(failure) if raises => {
                failed = Some(Failure { index: Some(index), ..failure });
                break;
            }
            Err(failure) => columns.add_failure(index, file, &failure),
            Ok(()) => {}
        }
    }
    (columns.finish(), failed)
}

/// The rows of a drawing. A crash is an error of this drawing alone.
fn rows<'d>(query: &BoxesQuery, drawing: &'d Drawing) -> Result<Vec<BoxRow<'d>>, Failure> {
    let answer = panic::catch_unwind(AssertUnwindSafe(|| query.answer(drawing)));
    match answer {
        Ok(answer) => Ok(answer.map_err(|error| Failure::new(error.to_string()))?.rows),
        Err(_) => {
            Err(Failure::new("boxwood crashed on the drawing, which is a bug: report it with the drawing"))
        }
    }
}
