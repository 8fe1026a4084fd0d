// The threads of people who need boxes of SVG without a browser, and inputs that show what each is about.
//
// A question is one of those in questions.js. Inputs are in the folder `inputs`.

const at = (repository, ...numbers) => numbers.map((number) => ({ repository, number }));

export const THREADS = [
    {
        title: 'jsdom',
        threads: at('jsdom/jsdom', 918, 1664, 3310),
        about: 'jsdom has no layout, so `getBBox` and `getComputedTextLength` do not exist there. The column Boxwood is the adapter `@boxwood-rs/svg/jsdom`.',
        inputs: [
            { file: 'rect.svg', question: 'boxInJsdom', of: ['rect'] },
            { file: 'label.svg', question: 'boxInJsdom', of: ['path', 'g', 'text'] },
            { file: 'label.svg', question: 'textLengthInJsdom', of: ['text'] },
        ],
    },
    {
        title: 'happy-dom',
        threads: at('capricorn86/happy-dom', 2145),
        about: '`getBBox` returns zeros. The column Boxwood is the adapter `@boxwood-rs/svg/jsdom`, which is for happy-dom too.',
        inputs: [
            { file: 'rect.svg', question: 'boxInHappyDom', of: ['rect'] },
            { file: 'label.svg', question: 'boxInHappyDom', of: ['path', 'g', 'text'] },
        ],
    },
    {
        title: 'svgdom',
        threads: at('svgdotjs/svgdom', 89, 127),
        about:
            'The thread of 2022 has a width of 126.32 where browsers have 147.99. The one of 2024 has zeros for paths of Inkscape. A path with an ' +
            'error ends before it, and an arc can be rotated.',
        inputs: ['circle.svg', 'relative.svg', 'ellipse.svg', 'label.svg'].map((file) => ({
            file,
            question: 'box',
            library: 'svgdom',
            of: { 'relative.svg': ['path', 'path + path', 'g'], 'label.svg': ['g', 'text'] }[file] ?? ['path'],
        })),
    },
    ...[
        ['svg-path-bounds', at('dy/svg-path-bounds', 2), 'The boxes of curves contain their control points.'],
        ['svg-path-bounding-box', at('icons8/svg-path-bounding-box', 3), 'A circle of 80 × 80 px has 68.28 px.'],
        ['svg-boundings', at('kfitfk/svg-boundings', 5), 'Curves and arcs have other boxes than in browsers.'],
    ].map(([library, threads, about]) => ({
        title: library,
        threads,
        about,
        inputs: ['arch.svg', 'round.svg', 'ellipse.svg'].map((file) => ({ file, question: 'box', library, of: ['path'] })),
    })),
    {
        title: 'resvg-js',
        threads: at('thx/resvg-js', 112, 258),
        about:
            'It has one box, that of the whole document. The thread expects the box of what is painted: 75 × 175 instead of 2400 × 2500. The other ' +
            'one is the update to resvg 0.34, after which the functions for boxes no longer worked.',
        inputs: [
            { file: 'markers.svg', question: 'painted', library: '@resvg/resvg-js', scale: 4 },
            { file: 'mitre.svg', question: 'painted', library: '@resvg/resvg-js', scale: 16 },
        ],
    },
    {
        title: 'removeOffCanvasPaths of svgo',
        threads: at('svg/svgo', 1646, 1732),
        about: 'It deletes visible paths: strokes, and definitions that are used. The column Boxwood is the plugin `@boxwood-rs/svg/svgo`.',
        inputs: ['cross.svg', 'stars.svg', 'waste.svg'].map((file) => ({ file, question: 'removed' })),
    },
    {
        title: 'Cropping',
        threads: [...at('svg/svgo', 1215), ...at('jakearchibald/svgomg', 23, 452)],
        about:
            'People want the `viewBox` around what is painted. The answers are a script in a browser that uses `getBBox`, which cuts off strokes, ' +
            'and Inkscape.',
        inputs: [{ file: 'padding.svg', question: 'cropped', scale: 32 }],
    },
    {
        title: 'Diagrams on a server',
        threads: [...at('mermaid-js/mermaid', 3650), ...at('f5/unovis', 888)],
        about:
            'The same scripts draw diagrams in jsdom and in Chromium, with the same font. Their layouts depend on the boxes of their texts. All elements are ' +
            'compared, except those in definitions. Boxwood is right if no place, no size, and no number of an attribute differs by 1 px. Chromium rounds the ascent and the ' +
            'descent of a font to whole pixels, and differences of labels add up over a diagram.',
        inputs: [{ question: 'diagrams', of: { d3: 'd3', mermaid: 'mermaid', unovis: '@unovis/ts' } }],
    },
    {
        title: 'Icons that stick out of their viewBox',
        threads: [...at('waysidemapping/pinhead', 267), ...at('devicons/devicon', 1623), ...at('iho-ohi/S-101_Portrayal-Catalogue', 532)],
        about:
            'Icon sets want a check that every icon stays inside of its `viewBox`. In devicon, one that drives a browser by Selenium takes 15 minutes. In ' +
            'S-101, 19 of 725 symbols stick out. `getBBox` does not contain strokes. Lengths are in user units, except those of Boxwood, which are in CSS ' +
            'pixels: 0.3 mm are 1.13 px.',
        inputs: [
            { file: 'pin.svg', question: 'sticksOut', of: ['#inside', '#outside'], scale: 32 },
            { file: 'logo.svg', question: 'sticksOut', of: ['#ring', '#mark'], scale: 8 },
            { file: 'buoy.svg', question: 'sticksOut', of: ['#topmark', '#body'], scale: 100 },
        ],
    },
    {
        title: 'Texts whose glyphs stick out',
        threads: [],
        about:
            'The box of a text is that of its glyph cells in SVG 2, and in Boxwood. Chromium also has the ink of glyphs that stick out of their cells, in whole ' +
            'pixels: that of the J on the left, and that of the f on the right.',
        inputs: [{ file: 'overhang.svg', question: 'boxInJsdom', of: ['#january', '#of'] }],
    },
];
