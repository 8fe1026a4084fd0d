//! usvg 0.49 leaves out an image whose address is a `data:` URL with invalid base64, without a
//! message.
//!
//! It never asks the resolver for such an image. So the loader looks for such images in the
//! document.

use data_url::DataUrl;

/// Whether usvg leaves out an image with this address without asking for it.
pub(crate) fn is_silent(href: &str) -> bool {
    DataUrl::process(href).is_ok_and(|url| url.decode(|_| Ok::<_, ()>(())).is_err())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use usvg::{ImageHrefResolver, Options, Tree};

    use super::*;

    #[test]
    fn usvg_still_does_not_ask_for_invalid_base64() {
        let href = "data:image/png;base64,!!!";
        assert!(is_silent(href));
        let n_asked = AtomicUsize::new(0);
        let image_href_resolver = ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| {
                n_asked.fetch_add(1, Ordering::Relaxed);
                None
            }),
            resolve_string: Box::new(|_, _| {
                n_asked.fetch_add(1, Ordering::Relaxed);
                None
            }),
        };
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><image width='9' height='9' href='{href}'/></svg>"
        );
        Tree::from_str(&svg, &Options { image_href_resolver, ..Options::default() })
            .expect("the drawing is valid");
        assert_eq!(n_asked.into_inner(), 0);
    }
}
