//! Boxes as tables of Arrow.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Float32Builder, Float64Builder, Int32Builder, Int64Builder, StringBuilder,
};
use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use boxwood_cpu::Aabb;
use boxwood_query::{BoxKind, BoxRow, ObjectPart};
use boxwood_svg::{Drawing, NoBox};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::errors::Failure;

/// The columns of a table, which the README describes. Integers are signed, because Spark has no
/// others.
fn schema() -> SchemaRef {
    let field = |name: &str, kind| Field::new(name, kind, true);
    Arc::new(Schema::new(vec![
        Field::new("index", DataType::Int64, false),
        field("file", DataType::Utf8),
        field("drawing_width", DataType::Float64),
        field("drawing_height", DataType::Float64),
        field("name", DataType::Utf8),
        field("has_id", DataType::Boolean),
        field("element", DataType::Utf8),
        field("path", DataType::Utf8),
        field("line", DataType::Int32),
        field("column", DataType::Int32),
        field("class", DataType::Utf8),
        field("kind", DataType::Utf8),
        field("include", DataType::Utf8),
        field("order", DataType::Int32),
        field("parent", DataType::Utf8),
        field("x0", DataType::Float32),
        field("y0", DataType::Float32),
        field("x1", DataType::Float32),
        field("y1", DataType::Float32),
        field("reason", DataType::Utf8),
        field("error", DataType::Utf8),
        field("error_line", DataType::Int32),
        field("error_column", DataType::Int32),
        field("error_limit", DataType::Float64),
    ]))
}

/// Builds the columns of [`schema`], row by row.
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
        self.error.append_null();
        self.error_place.iter_mut().for_each(Int32Builder::append_null);
        self.error_limit.append_null();
    }

    /// Adds the row of a drawing without a row for a box.
    pub(crate) fn add_empty(&mut self, index: i64, file: Option<&str>, drawing: &Drawing) {
        self.add_source(index, file, Some(drawing));
        self.add_no_box();
        self.error.append_null();
        self.error_place.iter_mut().for_each(Int32Builder::append_null);
        self.error_limit.append_null();
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
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.index.finish()),
            Arc::new(self.file.finish()),
            Arc::new(width.finish()),
            Arc::new(height.finish()),
            Arc::new(self.name.finish()),
            Arc::new(self.has_id.finish()),
            Arc::new(self.element.finish()),
            Arc::new(self.path.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.column.finish()),
            Arc::new(self.class.finish()),
            Arc::new(self.kind.finish()),
            Arc::new(self.include.finish()),
            Arc::new(self.order.finish()),
            Arc::new(self.parent.finish()),
            Arc::new(x0.finish()),
            Arc::new(y0.finish()),
            Arc::new(x1.finish()),
            Arc::new(y1.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.error.finish()),
            Arc::new(error_line.finish()),
            Arc::new(error_column.finish()),
            Arc::new(self.error_limit.finish()),
        ];
        RecordBatch::try_new(schema(), columns)
            .expect("the columns are those of the schema, with equal lengths")
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
