/**
 * The kinds of box in the order of their keys. The names, the colours, and the lines are those of the native viewer,
 * which has no key for object boxes. Each colour has a contrast of at least 3 : 1 on white and on black, and each kind
 * has a line of its own, so that no kind depends on its colour alone.
 *
 * A dash is a list of lines and gaps, alternately, in CSS pixels.
 */
export const KINDS = [
    {
        name: 'leaf',
        key: '1',
        color: '#cc79a7',
        dash: [1, 2],
        help: 'What an element paints by itself, before clipping',
    },
    {
        name: 'clipped',
        key: '2',
        color: '#0072b2',
        dash: [],
        help: 'The part of a leaf box that is inside of all clips around it',
    },
    {
        name: 'clip',
        key: '3',
        color: '#d55e00',
        dash: [6, 4],
        help: 'What a clip lets through, inside of all clips around it',
    },
    {
        name: 'group',
        key: '4',
        color: '#009e73',
        dash: [8, 3, 2, 3],
        help: 'Everything that is painted in a group',
    },
    {
        name: 'object',
        key: '5',
        color: '#7f7f7f',
        dash: [3, 3],
        help: 'What getBBox returns: the fill, whatever its paint and its clips, in the space of the drawing',
    },
];

/** The kinds that a new page shows. */
export const DEFAULT_KINDS = ['clipped', 'clip', 'group'];

/** The kinds in paint order: the densest line first, so that boxes that coincide show in the gaps of later ones. */
export const PAINT_ORDER = ['clipped', 'group', 'clip', 'object', 'leaf'].map((name) =>
    KINDS.find((kind) => kind.name === name),
);
