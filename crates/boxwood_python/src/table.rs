//! Boxes as tables of Arrow.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::{
    BooleanBuilder, Float32Builder, Float64Builder, Int32Builder, Int64Builder, StringBuilder,
};
use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use boxwood_cpu::Aabb;
use boxwood_query::{BoxKind, BoxRow, ObjectPart};
use boxwood_svg::{Drawing, NoBox};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::errors::Failure;

/// The names and types of the columns.
fn schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| Columns::default().finish().schema());
    Arc::clone(&SCHEMA)
}

/// Builds the columns of a table, row by row. The README describes them.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    index: Int64Builder,
    file: StringBuilder,
    size: [Float64Builder; 2],
    name: StringBuilder,
    has_id: BooleanBuilder,
    element: StringBuilder,
    path: StringBuilder,
    line: Int32Builder,
    column: Int32Builder,
    class: StringBuilder,
    kind: StringBuilder,
    include: StringBuilder,
    order: Int32Builder,
    parent: StringBuilder,
    edges: [Float32Builder; 4],
    reason: StringBuilder,
    error: StringBuilder,
    error_place: [Int32Builder; 2],
    error_limit: Float64Builder,
}

impl Columns {
    /// Adds a row of a drawing, which is the one at `index` in the batch.
    pub(crate) fn add_row(&mut self, index: i64, file: Option<&str>, drawing: &Drawing, row: &BoxRow<'_>) {
        self.add_source(index, file, Some(drawing));
        self.name.append_value(&row.name);
        self.has_id.append_value(row.has_id);
        self.element.append_value(&row.element);
        self.path.append_value(&row.position.path);
        self.line.append_option(i32::try_from(row.position.line).ok());
        self.column.append_option(i32::try_from(row.position.column).ok());
        self.class.append_value(&row.position.class);
        self.kind.append_option(row.kind.map(BoxKind::word));
        let parts: Vec<_> = ObjectPart::of(row.include).map(ObjectPart::word).collect();
        self.include.append_value(parts.join(","));
        self.order.append_option(i32::try_from(row.order).ok());
        self.parent.append_option(row.parent);
        let Aabb { x0, y0, x1, y1 } = row.bounds;
        let edges = match row.bounds {
            // Not `is_empty`: an object box can be a line.
            Aabb::EMPTY => [None; 4],
            Aabb::PLANE => [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::INFINITY].map(Some),
            _ => [x0, y0, x1, y1].map(Some),
        };
        self.edges.iter_mut().zip(edges).for_each(|(column, edge)| column.append_option(edge));
        self.reason.append_option(row.reason.as_ref().map(NoBox::word));
        self.add_no_error();
    }

    /// Adds the row of a drawing without a row for a box.
    pub(crate) fn add_empty(&mut self, index: i64, file: Option<&str>, drawing: &Drawing) {
        self.add_source(index, file, Some(drawing));
        self.add_no_box();
        self.add_no_error();
    }

    /// Adds the row of a drawing that cannot be loaded.
    pub(crate) fn add_failure(&mut self, index: i64, file: Option<&str>, failure: &Failure) {
        self.add_source(index, file, None);
        self.add_no_box();
        self.error.append_value(&failure.message);
        for (axis, column) in self.error_place.iter_mut().enumerate() {
            column.append_option(failure.place.and_then(|place| i32::try_from(place[axis]).ok()));
        }
        self.error_limit.append_option(failure.limit);
    }

    fn add_no_error(&mut self) {
        self.error.append_null();
        self.error_place.iter_mut().for_each(Int32Builder::append_null);
        self.error_limit.append_null();
    }

    fn add_no_box(&mut self) {
        let texts = [&mut self.name, &mut self.element, &mut self.path, &mut self.class, &mut self.kind];
        texts
            .into_iter()
            .chain([&mut self.include, &mut self.parent, &mut self.reason])
            .for_each(StringBuilder::append_null);
        self.has_id.append_null();
        [&mut self.line, &mut self.column, &mut self.order].into_iter().for_each(Int32Builder::append_null);
        self.edges.iter_mut().for_each(Float32Builder::append_null);
    }

    fn add_source(&mut self, index: i64, file: Option<&str>, drawing: Option<&Drawing>) {
        self.index.append_value(index);
        self.file.append_option(file);
        let size = [drawing.map(|drawing| drawing.size.width), drawing.map(|drawing| drawing.size.height)];
        self.size.iter_mut().zip(size).for_each(|(column, side)| column.append_option(side));
    }

    pub(crate) fn finish(mut self) -> RecordBatch {
        let [width, height] = &mut self.size;
        let [x0, y0, x1, y1] = &mut self.edges;
        let [error_line, error_column] = &mut self.error_place;
        // The name, the values, and whether they may be null. Integers are signed, because Spark has no
        // others.
        let columns: [(&str, ArrayRef, bool); 24] = [
            ("index", Arc::new(self.index.finish()), false),
            ("file", Arc::new(self.file.finish()), true),
            ("drawing_width", Arc::new(width.finish()), true),
            ("drawing_height", Arc::new(height.finish()), true),
            ("name", Arc::new(self.name.finish()), true),
            ("has_id", Arc::new(self.has_id.finish()), true),
            ("element", Arc::new(self.element.finish()), true),
            ("path", Arc::new(self.path.finish()), true),
            ("line", Arc::new(self.line.finish()), true),
            ("column", Arc::new(self.column.finish()), true),
            ("class", Arc::new(self.class.finish()), true),
            ("kind", Arc::new(self.kind.finish()), true),
            ("include", Arc::new(self.include.finish()), true),
            ("order", Arc::new(self.order.finish()), true),
            ("parent", Arc::new(self.parent.finish()), true),
            ("x0", Arc::new(x0.finish()), true),
            ("y0", Arc::new(y0.finish()), true),
            ("x1", Arc::new(x1.finish()), true),
            ("y1", Arc::new(y1.finish()), true),
            ("reason", Arc::new(self.reason.finish()), true),
            ("error", Arc::new(self.error.finish()), true),
            ("error_line", Arc::new(error_line.finish()), true),
            ("error_column", Arc::new(error_column.finish()), true),
            ("error_limit", Arc::new(self.error_limit.finish()), true),
        ];
        RecordBatch::try_from_iter_with_nullable(columns).expect("each row has added to each column")
    }
}

/// The boxes of drawings, for every library that reads the capsule interface of Arrow.
#[pyclass(frozen, module = "boxwood._boxwood")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) batches: Vec<RecordBatch>,
}

#[pymethods]
impl Table {
    /// One table with the rows of all tables.
    #[staticmethod]
    fn concat(tables: Vec<Bound<'_, Self>>) -> Self {
        Self { batches: tables.iter().flat_map(|table| table.get().batches.clone()).collect() }
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<boxwood.Table, {} rows>", self.__len__())
    }

    /// The schema, for the capsule interface of Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*schema()).map_err(arrow_error)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, for the capsule interface of Arrow. A requested schema is ignored, as it permits.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok);
        let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, schema())));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The rows as dictionaries.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                let cells = PyDict::new(py);
                for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
                    cells.set_item(field.name(), cell(py, column, row)?)?;
                }
                rows.append(cells)?;
            }
        }
        Ok(rows)
    }
}

/// A value of a column, which has one of the types of [`schema`].
fn cell<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::Boolean => column.as_boolean().value(row).into_bound_py_any(py),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).into_bound_py_any(py),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into_bound_py_any(py),
        DataType::Float32 => column.as_primitive::<Float32Type>().value(row).into_bound_py_any(py),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into_bound_py_any(py),
        other => Err(PyRuntimeError::new_err(format!("no column has the type {other}"))),
    }
}

fn arrow_error(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
