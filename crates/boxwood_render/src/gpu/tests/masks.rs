//! Masks on masks, drawn by Vello and by resvg.

use super::*;

/// A masked rectangle. The rectangle of each mask excludes some of Vello's tiles.
const MASKED: &str = r##"<rect x="8" y="8" width="180" height="84" fill="#06c" mask="url(#m)"/>"##;

/// Cases of a mask on a mask: the name, and the masks.
const CASES: [(&str, &str); 5] = [
    (
        "user space",
        r##"<mask id="m" mask="url(#k)"><rect x="20" y="10" width="150" height="70" fill="#fff"/></mask>
            <mask id="k" maskUnits="userSpaceOnUse" x="70" y="0" width="20" height="100">
            <rect width="200" height="100" fill="#fff"/></mask>"##,
    ),
    (
        "units of the masked box, at an angle",
        r##"<mask id="m" mask="url(#k)"><rect x="20" y="10" width="150" height="70" fill="#fff"/></mask>
            <mask id="k" x=".2" y=".25" width=".3" height=".5"><g transform="rotate(20)"><rect width="90" height="100" fill="#fff"/></g></mask>"##,
    ),
    (
        "alpha in luminance",
        r##"<mask id="m" mask="url(#k)"><rect x="20" y="10" width="150" height="70" fill="#fff"/></mask>
            <mask id="k" mask-type="alpha" maskUnits="userSpaceOnUse" x="30" y="0" width="90" height="100">
            <rect width="200" height="100" opacity=".6"/></mask>"##,
    ),
    (
        "luminance in alpha",
        r##"<mask id="m" mask-type="alpha" mask="url(#k)"><rect x="20" y="10" width="150" height="70"/></mask>
            <mask id="k" maskUnits="userSpaceOnUse" x="30" y="0" width="90" height="100">
            <rect width="200" height="100" fill="#999"/><rect x="60" width="20" height="100" fill="#000"/></mask>"##,
    ),
    (
        "three",
        r##"<mask id="m" mask="url(#k)"><rect x="20" y="10" width="60" height="70" fill="#fff"/>
            <rect x="80" y="10" width="60" height="70" fill="#ccc"/></mask>
            <mask id="k" mask="url(#l)"><rect width="200" height="60" fill="#ddd"/></mask>
            <mask id="l" maskUnits="userSpaceOnUse" x="50" y="20" width="60" height="30"><circle cx="80" cy="40" r="40" fill="#fff"/></mask>"##,
    ),
];

#[test]
fn a_mask_on_a_mask_is_the_same_on_the_gpu_and_the_cpu() {
    let mut painter = painter();
    for (name, masks) in CASES {
        let drawing = drawing(200, 100, &format!("{masks}{}", MASKED));
        assert_eq!(drawing.warnings, [], "{name}");
        painter.set_drawing(&drawing).expect("the scene is small");
        for zoom in [1.0, 2.0] {
            let options = options(zoom, OverlayKinds::NONE);
            let gpu = painter.render(&options).expect("the picture is small");
            for renderer in [CpuRenderer::Resvg, CpuRenderer::VelloCpu] {
                let on_cpu = render_on_cpu(&drawing, renderer, &options).expect("the picture is small");
                let different = n_different(&gpu, &on_cpu);
                assert!(different <= 20, "{name}: {different} pixels at {zoom} by {renderer:?}");
            }
        }
    }
}
