//! Events as C reads them.

use ::tidebreak::events::Event;

/// `tb_event` of the header.
#[allow(missing_docs, reason = "the names are those of the world's event records")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct TbEvent {
    pub id: i64,
    pub tick: i64,
    pub source: i64,
    pub target: i64,
    pub cause: i64,
    pub trace: i64,
    pub f0: f64,
    pub f1: f64,
    pub i0: i64,
    /// Place in the world's table of events.
    pub kind: i32,
    /// Always 0.
    pub reserved: i32,
}

impl From<&Event> for TbEvent {
    fn from(event: &Event) -> Self {
        let news = &event.news;
        Self {
            id: event.id,
            tick: event.tick,
            source: news.source,
            target: news.target,
            cause: news.cause,
            trace: event.trace,
            f0: news.f0,
            f1: news.f1,
            i0: news.i0,
            kind: news.kind as i32,
            reserved: 0,
        }
    }
}
