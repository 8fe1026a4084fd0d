//! The dispatches of stage *query*.

use boxwood_shaders::{Shader, spatial as shaders};

use super::index::WALKS_PER_WORKGROUP;
use super::query::{Condition, Question};

/// The number of queries whose answers a workgroup joins, as in `query_join.wgsl`.
const JOINED_QUERIES: u32 = 32;

/// A dispatch: a shader, and its number of workgroups.
pub(super) type Dispatch = (&'static Shader, u32);

/// The dispatches before the scan that lists need, and the one after it.
pub(super) type Dispatches = (Vec<Dispatch>, Option<Dispatch>);

/// The dispatches that walk over a tree, and the last one, which lists all boxes.
pub(super) fn walks_of(question: Question, n_queries: u32) -> Dispatches {
    let n_workgroups = n_queries.div_ceil(WALKS_PER_WORKGROUP);
    let [first, last] = match question {
        Question::TopMost(condition) => [Some(shaders_of(condition).top), None],
        Question::Any(condition) => [Some(shaders_of(condition).any), None],
        Question::All { condition, .. } => {
            [shaders_of(condition).count, shaders_of(condition).list].map(Some)
        }
        Question::Nearest => [Some(&shaders::QUERY_NEAREST), None],
    };
    let dispatch = |shader| (shader, n_workgroups);
    (first.into_iter().map(dispatch).collect(), last.map(dispatch))
}

/// The dispatches that test all boxes, and the last one, which lists them.
pub(super) fn streams_of(question: Question, n_queries: u32, n_shares: u32) -> Dispatches {
    let n_workgroups = n_queries * n_shares;
    let (first, join) = match question {
        Question::TopMost(condition) => (streaming_shaders_of(condition).top, &shaders::QUERY_JOIN_TOP),
        Question::Any(condition) => (streaming_shaders_of(condition).any, &shaders::QUERY_JOIN_ANY),
        Question::Nearest => (&shaders::QUERY_STREAM_NEAREST, &shaders::QUERY_JOIN_NEAREST),
        Question::All { condition, .. } => {
            let ByCondition { count, list, .. } = streaming_shaders_of(condition);
            // One more workgroup writes the last start.
            return (vec![(count, n_workgroups)], Some((list, n_workgroups + 1)));
        }
    };
    (vec![(first, n_workgroups), (join, n_queries.div_ceil(JOINED_QUERIES))], None)
}

/// The shaders for a condition.
struct ByCondition {
    top: &'static Shader,
    any: &'static Shader,
    count: &'static Shader,
    list: &'static Shader,
}

fn shaders_of(condition: Condition) -> ByCondition {
    match condition {
        Condition::At => ByCondition {
            top: &shaders::QUERY_TOP_AT,
            any: &shaders::QUERY_ANY_AT,
            count: &shaders::QUERY_COUNT_AT,
            list: &shaders::QUERY_LIST_AT,
        },
        Condition::Overlapping => ByCondition {
            top: &shaders::QUERY_TOP_OVERLAPPING,
            any: &shaders::QUERY_ANY_OVERLAPPING,
            count: &shaders::QUERY_COUNT_OVERLAPPING,
            list: &shaders::QUERY_LIST_OVERLAPPING,
        },
        Condition::Within => ByCondition {
            top: &shaders::QUERY_TOP_WITHIN,
            any: &shaders::QUERY_ANY_WITHIN,
            count: &shaders::QUERY_COUNT_WITHIN,
            list: &shaders::QUERY_LIST_WITHIN,
        },
    }
}

fn streaming_shaders_of(condition: Condition) -> ByCondition {
    match condition {
        Condition::At => ByCondition {
            top: &shaders::QUERY_STREAM_TOP_AT,
            any: &shaders::QUERY_STREAM_ANY_AT,
            count: &shaders::QUERY_STREAM_COUNT_AT,
            list: &shaders::QUERY_STREAM_LIST_AT,
        },
        Condition::Overlapping => ByCondition {
            top: &shaders::QUERY_STREAM_TOP_OVERLAPPING,
            any: &shaders::QUERY_STREAM_ANY_OVERLAPPING,
            count: &shaders::QUERY_STREAM_COUNT_OVERLAPPING,
            list: &shaders::QUERY_STREAM_LIST_OVERLAPPING,
        },
        Condition::Within => ByCondition {
            top: &shaders::QUERY_STREAM_TOP_WITHIN,
            any: &shaders::QUERY_STREAM_ANY_WITHIN,
            count: &shaders::QUERY_STREAM_COUNT_WITHIN,
            list: &shaders::QUERY_STREAM_LIST_WITHIN,
        },
    }
}
