import type { FindingKind } from './index.js';

/** A plugin for svgo 4 that removes elements that are certainly invisible. */
declare const plugin: {
    name: 'removeInvisible';
    description: string;
    fn(root: any, parameters?: { kinds?: readonly FindingKind[] }): null;
};
export default plugin;
