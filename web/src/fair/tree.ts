// The rule tree that says who may take part: only as much of it as a rule path needs.
import { Malformed, Reader } from './bytes';

/** A leaf that denies, allows or names an activity; or the nodes that a decision's edges lead to. */
type Node = 'deny' | 'allow' | 'activity' | number[];

export interface Tree {
  root: number;
  nodes: Map<number, Node>;
}

export function readTree(data: Uint8Array): Tree {
  const r = new Reader(data);
  r.tag('WT\x01\x01');
  const nodes = new Map<number, Node>();
  let root = -1;
  for (let count = r.u(2); count > 0; count -= 1) {
    const id = r.u(4);
    if (r.u(1) === 1) root = id;
    r.text();
    nodes.set(id, readNode(r));
  }
  r.end();
  return { root, nodes };
}

function readNode(r: Reader): Node {
  const kind = r.u(1);
  if (kind === 0) return 'deny';
  if (kind === 1) return 'allow';
  if (kind === 2) {
    r.i64();
    return 'activity';
  }
  if (kind !== 3) throw new Malformed('a node that means nothing');
  r.text();
  r.u(1);
  return r.list(() => {
    const to = r.u(4);
    skipWhen(r);
    return to;
  });
}

function skipWhen(r: Reader): void {
  const when = r.u(1);
  if (when > 7) throw new Malformed('a condition that means nothing');
  if (when === 0) return;
  if (when === 6) r.list(() => skipValue(r));
  else skipValue(r);
  if (when === 7) skipValue(r);
}

function skipValue(r: Reader): void {
  const kind = r.u(1);
  if (kind === 0) r.i64();
  else if (kind === 1) r.text();
  else if (kind === 2) r.u(1);
  else throw new Malformed('a value that means nothing');
}

/** Whether the path leads from the root to a leaf that allows. */
export function allows(tree: Tree, path: Uint8Array): boolean {
  if (path.length === 0 || path[0] !== path.length - 1) return false;
  let node = tree.nodes.get(tree.root);
  for (const edge of path.subarray(1)) {
    const next: number | undefined = Array.isArray(node) ? node[edge] : undefined;
    node = next === undefined ? undefined : tree.nodes.get(next);
  }
  return node === 'allow';
}
