//! Code that was written for `vello::Renderer` runs with Boxwood's renderer after a change of one
//! line.

mod with_boxwood {
    use boxwood_vello::Renderer;

    include!("drop_in/program.rs");
}

mod with_vello {
    use vello::Renderer;

    include!("drop_in/program.rs");
}

use boxwood_tests::pixels_apart;

#[test]
fn a_program_for_vello_draws_the_same_pictures() {
    let found = with_boxwood::pictures();
    for (index, (found, expected)) in found.iter().zip(&with_vello::pictures()).enumerate() {
        assert_eq!(pixels_apart(found, expected), (0, 0), "picture {index}");
    }
}
