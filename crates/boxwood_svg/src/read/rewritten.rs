//! The check of a document, and the changes to it before usvg reads it.

use usvg::roxmltree::Document;

use crate::error::Error;
use crate::guard::document::{self, Checked};
use crate::quirks::conditions::remove_ignored;
use crate::quirks::displacement::replace_scales;
use crate::quirks::empty_effects::fill_empty;
use crate::quirks::foreign_objects;
use crate::quirks::marked_effects::place_effects;
use crate::quirks::singular_transforms::give_scales;
use crate::quirks::switches::make_groups;
use crate::quirks::symbol_sizes::copy_to_uses;
use crate::quirks::unloaded_images::replace_unloaded;
use crate::quirks::unprefixed_space::remove_space;
use crate::quirks::wrong_references;
use crate::quirks::zero_viewports::hide_contents;
use crate::rewrite::Edits;
use crate::warnings::{WarningKind, Warnings};
use crate::xml::name_or_place;

/// The changes that usvg needs.
///
/// # Errors
///
/// Those of [`document::check`], and [`Error::ReferenceCycle`] if an element that closes a cycle of
/// references cannot be removed.
pub(crate) fn edits<'d>(document: &'d Document<'_>, warnings: &Warnings) -> Result<Edits<'d>, Error> {
    let mut edits = Edits::new(document);
    let Checked { closing, in_themselves, wrong, relative } = document::check(document)?;
    for closing in closing {
        warnings.add(WarningKind::ReferenceCycle, || name_or_place(closing));
        if !edits.remove_element(closing) {
            return Err(document::cycle_through(closing));
        }
    }
    for marker in in_themselves {
        warnings.add(WarningKind::ReferenceCycle, || name_or_place(marker));
    }
    remove_ignored(document, &mut edits);
    remove_space(document, &mut edits);
    wrong_references::ignore(wrong, &mut edits);
    place_effects(&relative, warnings, &mut edits);
    make_groups(document, &mut edits);
    hide_contents(document, &mut edits);
    copy_to_uses(document, &mut edits);
    fill_empty(document, &mut edits);
    give_scales(document, &mut edits);
    foreign_objects::make_rectangles(document, &mut edits);
    replace_scales(document, &mut edits, warnings);
    replace_unloaded(document, &mut edits, warnings);
    edits.warn(warnings);
    Ok(edits)
}
