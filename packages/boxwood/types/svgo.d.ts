/** The kinds of finding that are about elements that nobody sees. `covered` is not removed by default. */
export type RemovableKind = 'empty' | 'off-canvas' | 'clipped-away' | 'covered';

/** A plugin for svgo 4 that removes elements that are certainly invisible. */
declare const plugin: {
    name: 'removeInvisible';
    description: string;
    fn(root: any, parameters?: { kinds?: readonly RemovableKind[] }): null;
};
export default plugin;
