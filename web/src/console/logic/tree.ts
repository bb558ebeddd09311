// Rule trees as drawings: where each node stands, and the steps of editing. Pure; the server checks what is saved.
import type { EdgeBody, FactKind, NodeBody, TreeComparison, TreePurpose } from '../../api/wire';

export interface Spot {
  id: number;
  x: number;
  y: number;
}

export interface Arrow {
  from: number;
  to: number;
  /** The edge's place at its node; null for the default. */
  edge: number | null;
}

/** Where an edge of a node leads, the default last. */
export function arrowsOf(node: NodeBody): Arrow[] {
  const arrows: Arrow[] = (node.edges ?? []).map((edge, at) => ({ from: node.id, to: edge.to, edge: at }));
  if (node.otherwise != null) arrows.push({ from: node.id, to: node.otherwise, edge: null });
  return arrows;
}

/**
 * Nodes in rows by their longest way from the root, each below the middle of what leads to it as far as that is free.
 * Nodes that nothing leads to stand in a row of their own at the end; a ring is cut where it closes.
 */
export function layout(
  nodes: readonly NodeBody[],
  root: number,
): { spots: Spot[]; columns: number; rows: number } {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const depth = new Map<number, number>();
  const order: number[] = [];
  const visit = (id: number, level: number, above: ReadonlySet<number>) => {
    const node = byId.get(id);
    if (!node || above.has(id)) return;
    const known = depth.get(id);
    if (known === undefined) order.push(id);
    if (known !== undefined && known >= level) return;
    depth.set(id, level);
    const path = new Set(above).add(id);
    for (const { to } of arrowsOf(node)) visit(to, level + 1, path);
  };
  visit(root, 0, new Set());
  const last = Math.max(-1, ...depth.values());
  for (const { id } of nodes) {
    if (!depth.has(id)) {
      depth.set(id, last + 1);
      order.push(id);
    }
  }
  // Leaves take a column each, from the left; whatever is above stands over the middle of its own.
  const column = new Map<number, number>();
  let next = 0;
  const place = (id: number, seen: Set<number>): number => {
    const known = column.get(id);
    if (known !== undefined) return known;
    seen.add(id);
    const node = byId.get(id);
    const below = node
      ? arrowsOf(node)
          .map(({ to }) => to)
          .filter((to) => byId.has(to) && !seen.has(to) && (depth.get(to) ?? 0) > (depth.get(id) ?? 0))
      : [];
    const fresh = [...new Set(below)].filter((to) => !column.has(to));
    const middle = fresh.map((to) => place(to, seen));
    const at = middle.length > 0 ? (Math.min(...middle) + Math.max(...middle)) / 2 : next++;
    column.set(id, at);
    return at;
  };
  for (const id of order) place(id, new Set());
  const rows = new Map<number, number[]>();
  for (const id of order) {
    const row = depth.get(id) ?? 0;
    rows.set(row, [...(rows.get(row) ?? []), id]);
  }
  const spots: Spot[] = [];
  for (const [y, ids] of rows) {
    let free = Number.NEGATIVE_INFINITY;
    for (const id of ids.sort((a, b) => (column.get(a) ?? 0) - (column.get(b) ?? 0))) {
      const x = Math.max(column.get(id) ?? 0, free);
      free = x + 1;
      spots.push({ id, x, y });
    }
  }
  const columns = Math.max(1, ...spots.map(({ x }) => x + 1));
  return { spots, columns, rows: rows.size };
}

/** A condition in a few signs. */
export function edgeText(edge: EdgeBody): string {
  switch (edge.when) {
    case 'in':
      return `∈ ${(edge.values ?? []).join(', ')}`;
    case 'range':
      return `${edge.from ?? '…'} – ${edge.up_to ?? '…'}`;
    case '>=':
      return `≥ ${edge.value ?? ''}`;
    case '<=':
      return `≤ ${edge.value ?? ''}`;
    default:
      return `${edge.when} ${edge.value ?? ''}`;
  }
}

const WHENS: Record<FactKind, readonly TreeComparison[]> = {
  number: ['=', '>', '<', '>=', '<=', 'in', 'range'],
  text: ['=', 'in'],
  flag: ['='],
  tags: ['=', 'in'],
};

export function whensFor(type: string | null | undefined): readonly TreeComparison[] {
  return WHENS[(type ?? 'number') as FactKind] ?? WHENS.number;
}

/** What somebody typed to compare with, as the fact's type wants it. What does not fit stays text: the server says so. */
export function operand(type: string | null | undefined, typed: string): string | number | boolean {
  const text = typed.trim();
  if (type === 'number' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** A decision over a fact of another type: conditions that such a fact does not have become comparisons. */
export function retype(node: NodeBody, type: FactKind): Partial<NodeBody> {
  const fits = (value: unknown) =>
    type === 'number'
      ? typeof value === 'number'
      : type === 'flag'
        ? typeof value === 'boolean'
        : typeof value === 'string';
  const value = type === 'number' ? 0 : type === 'flag' ? true : '';
  const edges = (node.edges ?? []).map(
    (edge): EdgeBody =>
      whensFor(type).includes(edge.when) && [edge.value ?? value, ...(edge.values ?? [])].every(fits)
        ? edge
        : { when: '=', value: fits(edge.value) ? (edge.value ?? value) : value, to: edge.to },
  );
  return { type, edges };
}

export interface TreeDraft {
  name: string;
  purpose: TreePurpose;
  root: number;
  nodes: NodeBody[];
}

export function newTree(): TreeDraft {
  return {
    name: '',
    purpose: 'admission',
    root: 1,
    nodes: [
      {
        id: 1,
        fact: 'registered_days_ago',
        type: 'number',
        edges: [{ when: '>=', value: 1, to: 2 }],
        otherwise: 3,
      },
      { id: 2, leaf: 'allow' },
      { id: 3, leaf: 'deny' },
    ],
  };
}

const freeId = (nodes: readonly NodeBody[]) => nodes.reduce((next, { id }) => Math.max(next, id + 1), 1);

export function setNode(tree: TreeDraft, id: number, part: Partial<NodeBody>): TreeDraft {
  return { ...tree, nodes: tree.nodes.map((node) => (node.id === id ? { ...node, ...part } : node)) };
}

const newLeaf = (id: number, purpose: TreeDraft['purpose']): NodeBody =>
  purpose === 'routing' ? { id, leaf: 'activity', activity: '' } : { id, leaf: 'deny' };

/** Another edge at a decision, leading to a new leaf. */
export function addEdge(tree: TreeDraft, id: number): TreeDraft {
  const to = freeId(tree.nodes);
  const node = tree.nodes.find((one) => one.id === id);
  if (!node || node.fact == null) return tree;
  const type = node.type ?? 'number';
  const value = type === 'number' ? 0 : type === 'flag' ? true : '';
  const grown = { ...tree, nodes: [...tree.nodes, newLeaf(to, tree.purpose)] };
  return setNode(grown, id, { edges: [...(node.edges ?? []), { when: '=', value, to }] });
}

/** A leaf becomes a decision with a leaf below it. */
export function branch(tree: TreeDraft, id: number): TreeDraft {
  const otherwise = freeId(tree.nodes);
  const node = tree.nodes.find((one) => one.id === id);
  if (!node) return tree;
  const kept: NodeBody = {
    ...newLeaf(otherwise, tree.purpose),
    ...(node.leaf != null ? { leaf: node.leaf } : {}),
    ...(node.activity != null ? { activity: node.activity } : {}),
  };
  const decision: NodeBody = {
    id,
    ...(node.name ? { name: node.name } : {}),
    fact: 'registered_days_ago',
    type: 'number',
    edges: [],
    otherwise,
  };
  return addEdge(
    { ...tree, nodes: [...tree.nodes.map((one) => (one.id === id ? decision : one)), kept] },
    id,
  );
}

/** A decision becomes a leaf; what only it led to goes. */
export function prune(tree: TreeDraft, id: number): TreeDraft {
  const cut = {
    ...tree,
    nodes: tree.nodes.map((node) => (node.id === id ? newLeaf(id, tree.purpose) : node)),
  };
  return reachable(cut);
}

export function removeEdge(tree: TreeDraft, id: number, at: number): TreeDraft {
  const node = tree.nodes.find((one) => one.id === id);
  return reachable(setNode(tree, id, { edges: (node?.edges ?? []).filter((_, index) => index !== at) }));
}

/** Only what the root leads to. */
export function reachable(tree: TreeDraft): TreeDraft {
  const byId = new Map(tree.nodes.map((node) => [node.id, node]));
  const seen = new Set<number>();
  const visit = (id: number) => {
    const node = byId.get(id);
    if (!node || seen.has(id)) return;
    seen.add(id);
    for (const { to } of arrowsOf(node)) visit(to);
  };
  visit(tree.root);
  return { ...tree, nodes: tree.nodes.filter(({ id }) => seen.has(id)) };
}
