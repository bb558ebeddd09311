// The tree as a drawing: decisions above, leaves below, the way of a dry run in colour. Every node is a button.
import type { DryRunBody, NodeBody } from '../../api/wire';
import { arrowsOf, edgeText, layout, type TreeDraft } from '../logic/tree';
import { type Say, useText } from '../text';

const WIDTH = 168;
const HEIGHT = 56;
const GAP_X = 28;
const GAP_Y = 64;

interface Props {
  tree: TreeDraft;
  chosen: number;
  choose: (id: number) => void;
  ran: DryRunBody | undefined;
  wrong: readonly string[];
}

export function TreeDrawing({ tree, chosen, choose, ran, wrong }: Props) {
  const { t } = useText();
  const { spots, columns, rows } = layout(tree.nodes, tree.root);
  const byId = new Map(tree.nodes.map((node) => [node.id, node]));
  const place = new Map(
    spots.map(({ id, x, y }) => [id, { x: x * (WIDTH + GAP_X), y: y * (HEIGHT + GAP_Y) }]),
  );
  const walked = new Set(ran?.steps.map((step) => `${step.node} ${step.edge ?? 'otherwise'}`));
  const visited = new Set([...(ran?.steps.map((step) => step.node) ?? []), ...(ran ? [ran.node] : [])]);
  const width = columns * (WIDTH + GAP_X) - GAP_X;
  const height = rows * (HEIGHT + GAP_Y) - GAP_Y;
  const isWrong = (id: number) =>
    wrong.some((field) => field === `nodes.${id}` || field.startsWith(`nodes.${id}.`));
  return (
    <div className="tree-scroll">
      <div className="tree-canvas" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {tree.nodes.flatMap((node) =>
            arrowsOf(node).map((arrow, at, all) => {
              const from = place.get(arrow.from);
              const to = place.get(arrow.to);
              if (!from || !to) return null;
              const x1 = from.x + (WIDTH * (at + 1)) / (all.length + 1);
              const y1 = from.y + HEIGHT;
              const x2 = to.x + WIDTH / 2;
              const y2 = to.y;
              const lit = walked.has(`${arrow.from} ${arrow.edge ?? 'otherwise'}`);
              const edge = arrow.edge === null ? undefined : node.edges?.[arrow.edge];
              return (
                <g key={`${arrow.from} ${arrow.edge}`} className={lit ? 'arrow lit' : 'arrow'}>
                  <path
                    d={`M ${x1} ${y1} C ${x1} ${y1 + 30}, ${x2} ${y2 - 34}, ${x2} ${y2}`}
                    strokeDasharray={edge ? undefined : '5 4'}
                  />
                  <text x={(x1 + x2) / 2} y={(y1 + y2) / 2 + 2} textAnchor="middle">
                    {edge ? cut(edgeText(edge)) : t('tree.otherwise')}
                  </text>
                </g>
              );
            }),
          )}
        </svg>
        {spots.map(({ id }) => {
          const node = byId.get(id);
          const at = place.get(id);
          if (!node || !at) return null;
          const kind = node.fact != null ? 'decision' : `leaf ${node.leaf ?? ''}`;
          const marks = [
            kind,
            id === chosen && 'chosen',
            visited.has(id) && 'visited',
            isWrong(id) && 'broken',
          ];
          return (
            <button
              key={id}
              type="button"
              className={`tree-node ${marks.filter(Boolean).join(' ')}`}
              style={{ left: at.x, top: at.y, width: WIDTH, height: HEIGHT }}
              aria-pressed={id === chosen}
              onClick={() => choose(id)}
            >
              <strong>{node.name || titleOf(node, t)}</strong>
              <span>{node.name ? titleOf(node, t) : `#${id}`}</span>
            </button>
          );
        })}
      </div>
    </div>
  );
}

function titleOf(node: NodeBody, t: Say): string {
  if (node.fact != null) return `${node.fact} ?`;
  if (node.leaf === 'activity') return `${t('tree.toActivity')} ${node.activity ?? ''}`;
  return t(`tree.${node.leaf ?? 'deny'}`);
}

const cut = (text: string) => (text.length > 22 ? `${text.slice(0, 21)}…` : text);
