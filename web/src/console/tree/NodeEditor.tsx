import { useQuery } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import { api, read } from '../../api/client';
import type { EdgeBody, NodeBody, TreeComparison, TreeLeaf, TreePurpose } from '../../api/wire';
import { At, Texts, useFlaws } from '../activity/At';
import { activityKeys } from '../keys';
import {
  addEdge,
  branch,
  operand,
  prune,
  reachable,
  removeEdge,
  retype,
  setNode,
  type TreeDraft,
  whensFor,
} from '../logic/tree';
import { useText } from '../text';

/** What Windfall knows of everybody. */
const OWN_FACTS = ['registered_day', 'registered_days_ago', 'phone_verified', 'level'];

/** What a tree can say, by what it is for. */
const LEAVES: Record<TreePurpose, readonly TreeLeaf[]> = {
  admission: ['allow', 'deny'],
  routing: ['activity', 'deny'],
};

interface Props {
  tree: TreeDraft;
  node: NodeBody;
  change: (tree: TreeDraft) => void;
  choose: (id: number) => void;
  writes: boolean;
}

/** One node: what it asks and where its edges lead, or what it says. */
export function NodeEditor({ tree, node, change, choose, writes }: Props) {
  const { t } = useText();
  const { id } = node;
  const set = (part: Partial<NodeBody>) => change(setNode(tree, id, part));
  const flaws = useFlaws(`nodes.${id}`);
  return (
    <>
      {flaws.length > 0 && (
        <p className="wrong">
          <Texts flaws={flaws} />
        </p>
      )}
      <At field={`nodes.${id}.name`} label={t('tree.nodeName')}>
        <Input value={node.name ?? ''} onChange={(event) => set({ name: event.target.value })} />
      </At>
      {node.fact != null ? (
        <Decision tree={tree} node={node} change={change} choose={choose} writes={writes} />
      ) : (
        <Leaf tree={tree} node={node} set={set} />
      )}
      {writes && (
        <div className="row">
          {node.fact == null ? (
            <Button onClick={() => change(branch(tree, id))}>{t('tree.branch')}</Button>
          ) : (
            <>
              <Button onClick={() => change(addEdge(tree, id))}>{t('tree.addEdge')}</Button>
              <Button danger onClick={() => change(prune(tree, id))}>
                {t('tree.prune')}
              </Button>
            </>
          )}
        </div>
      )}
    </>
  );
}

function Leaf({
  tree,
  node,
  set,
}: {
  tree: TreeDraft;
  node: NodeBody;
  set: (part: Partial<NodeBody>) => void;
}) {
  const { t } = useText();
  const activities = useQuery({
    queryKey: activityKeys.choice(),
    queryFn: read((signal) => api.GET('/activities', { params: { query: { limit: 200 } }, signal })),
    enabled: tree.purpose === 'routing',
  });
  const leaves = LEAVES[tree.purpose];
  return (
    <>
      <At field={`nodes.${node.id}.leaf`} label={t('tree.leaf')}>
        <Select
          value={node.leaf ?? 'deny'}
          onChange={(leaf) =>
            set(leaf === 'activity' ? { leaf, activity: node.activity ?? '' } : { leaf, activity: null })
          }
          options={leaves.map((leaf) => ({
            value: leaf,
            label: t(leaf === 'activity' ? 'tree.toActivity' : `tree.${leaf}`),
          }))}
        />
      </At>
      {node.leaf === 'activity' && (
        <At field={`nodes.${node.id}.activity`} label={t('ful.activity')}>
          <Select
            value={node.activity || null}
            onChange={(activity) => set({ activity })}
            options={(activities.data?.items ?? []).map((one) => ({ value: one.id, label: one.name }))}
          />
        </At>
      )}
    </>
  );
}

function Decision({ tree, node, change, choose, writes }: Props) {
  const { t } = useText();
  const { id } = node;
  const set = (part: Partial<NodeBody>) => change(setNode(tree, id, part));
  const edges = node.edges ?? [];
  const setEdge = (at: number, edge: EdgeBody) =>
    set({ edges: edges.map((one, index) => (index === at ? edge : one)) });
  const targets = tree.nodes
    .filter((one) => one.id !== id)
    .map((one) => ({
      value: one.id,
      label: `#${one.id} ${one.name || one.fact || t(`tree.${one.leaf === 'activity' ? 'toActivity' : (one.leaf ?? 'deny')}`)}`,
    }));
  return (
    <>
      <div className="fields">
        <At field={`nodes.${id}.fact`} label={t('tree.fact')}>
          <Input
            list="own-facts"
            autoComplete="off"
            value={node.fact ?? ''}
            onChange={(event) => set({ fact: event.target.value })}
          />
        </At>
        <At field={`nodes.${id}.type`} label={t('tree.type')}>
          <Select
            value={node.type ?? 'number'}
            onChange={(type) => set(retype(node, type))}
            options={(['number', 'text', 'flag', 'tags'] as const).map((type) => ({
              value: type,
              label: t(`fact.${type}`),
            }))}
          />
        </At>
      </div>
      <datalist id="own-facts">
        {OWN_FACTS.map((fact) => (
          <option key={fact} value={fact} />
        ))}
      </datalist>
      <p className="soft fine">{t('tree.order')}</p>
      {edges.map((edge, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: edges have nothing but their place
        <div className="edge" key={at}>
          <Edge
            edge={edge}
            type={node.type}
            set={(next) => setEdge(at, next)}
            label={t('tree.edge', { n: at + 1 })}
          />
          <span className="row">
            →
            <Select
              aria-label={t('tree.leadsTo')}
              value={edge.to}
              className="target"
              onChange={(to) =>
                change(
                  reachable(
                    setNode(tree, id, {
                      edges: edges.map((one, index) => (index === at ? { ...one, to } : one)),
                    }),
                  ),
                )
              }
              options={targets}
            />
            <Button size="small" onClick={() => choose(edge.to)}>
              {t('tree.show')}
            </Button>
            {writes && (
              <Button size="small" danger onClick={() => change(removeEdge(tree, id, at))}>
                {t('prize.remove')}
              </Button>
            )}
          </span>
        </div>
      ))}
      <div className="edge">
        <span>{t('tree.otherwiseLong')}</span>
        <span className="row">
          →
          <Select
            aria-label={t('tree.otherwiseLong')}
            value={node.otherwise ?? null}
            className="target"
            onChange={(otherwise) => change(reachable(setNode(tree, id, { otherwise })))}
            options={targets}
          />
          {node.otherwise != null && (
            <Button size="small" onClick={() => choose(node.otherwise ?? 0)}>
              {t('tree.show')}
            </Button>
          )}
        </span>
      </div>
    </>
  );
}

interface EdgeProps {
  edge: EdgeBody;
  type: string | null | undefined;
  set: (edge: EdgeBody) => void;
  label: string;
}

function Edge({ edge, type, set, label }: EdgeProps) {
  const { t } = useText();
  const when = (next: TreeComparison) => {
    const { to } = edge;
    if (next === 'in') set({ when: next, values: edge.value == null ? [] : [edge.value], to });
    else if (next === 'range') set({ when: next, from: edge.value ?? 0, up_to: edge.value ?? 0, to });
    else set({ when: next, value: edge.value ?? edge.values?.[0] ?? edge.from ?? 0, to });
  };
  const text = (value: unknown) => (value == null ? '' : String(value));
  return (
    <span className="row">
      <Select
        aria-label={label}
        className="when"
        value={edge.when}
        onChange={when}
        options={whensFor(type).map((one) => ({ value: one, label: one }))}
      />
      {edge.when === 'in' ? (
        <Select
          mode="tags"
          aria-label={t('tree.values')}
          className="values"
          value={(edge.values ?? []).map(String)}
          onChange={(values: string[]) => set({ ...edge, values: values.map((one) => operand(type, one)) })}
        />
      ) : edge.when === 'range' ? (
        <>
          <Input
            aria-label={t('act.from')}
            className="value"
            value={text(edge.from)}
            onChange={(event) => set({ ...edge, from: operand(type, event.target.value) })}
          />
          –
          <Input
            aria-label={t('act.until')}
            className="value"
            value={text(edge.up_to)}
            onChange={(event) => set({ ...edge, up_to: operand(type, event.target.value) })}
          />
        </>
      ) : type === 'flag' ? (
        <Select
          aria-label={t('facts.value')}
          className="value"
          value={text(edge.value)}
          onChange={(value) => set({ ...edge, value: operand(type, value) })}
          options={[
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ]}
        />
      ) : (
        <Input
          aria-label={t('facts.value')}
          className="value"
          value={text(edge.value)}
          onChange={(event) => set({ ...edge, value: operand(type, event.target.value) })}
        />
      )}
    </span>
  );
}
