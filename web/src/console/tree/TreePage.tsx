// A rule tree, drawn and edited. A version that was saved never changes: saving makes the next one.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, App, Button, Form, Input, Segmented, Select } from 'antd';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { api, insist, read } from '../../api/client';
import { useOnce } from '../../api/once';
import { Problem } from '../../api/problem';
import { treePurposeValues } from '../../api/schema.gen';
import type { DryRunBody, TreeBody } from '../../api/wire';
import { At, FlawsOf } from '../activity/At';
import { treeKeys } from '../keys';
import { newTree, type TreeDraft } from '../logic/tree';
import { Actor, Short, Title, When } from '../parts/bits';
import { Copy } from '../parts/Copy';
import { Read, Trouble } from '../parts/states';
import { useMay } from '../session/session';
import { useText } from '../text';
import { DryRun } from './DryRun';
import { NodeEditor } from './NodeEditor';
import { TreeDrawing } from './TreeDrawing';
import { TreeUses } from './TreeUses';

export default function TreePage() {
  const { id } = useParams();
  return id ? <Existing id={id} key={id} /> : <Page key="new" />;
}

function Existing({ id }: { id: string }) {
  const [params] = useSearchParams();
  const older = Number(params.get('version') ?? 0);
  const query = useQuery({
    queryKey: older > 0 ? treeKeys.version(id, older) : treeKeys.newest(id),
    queryFn: read((signal) =>
      older > 0
        ? api.GET('/trees/{id}/versions/{version}', { params: { path: { id, version: older } }, signal })
        : api.GET('/trees/{id}', { params: { path: { id } }, signal }),
    ),
  });
  return <Read from={query}>{(tree) => <Page saved={tree} key={tree.version} />}</Read>;
}

/** Which version is looked at. What is saved on top of an older one is the next version all the same. */
function Versions({ saved }: { saved: TreeBody }) {
  const { t } = useText();
  const [, setParams] = useSearchParams();
  return (
    <Select
      size="small"
      value={saved.version}
      aria-label={t('review.version')}
      onChange={(version) => setParams(version === saved.newest ? {} : { version: String(version) })}
      options={Array.from({ length: saved.newest }, (_, before) => saved.newest - before).map((n) => ({
        value: n,
        label: t('act.version', { n }),
      }))}
    />
  );
}

function draftFrom(saved: TreeBody | undefined): TreeDraft {
  if (!saved) return newTree();
  const { name, purpose, root, nodes } = saved;
  return { name, purpose: purpose === 'routing' ? 'routing' : 'admission', root, nodes };
}

function Page({ saved }: { saved?: TreeBody }) {
  const { t } = useText();
  const may = useMay();
  const go = useNavigate();
  const client = useQueryClient();
  const { message } = App.useApp();
  const [tree, setTree] = useState(() => draftFrom(saved));
  const [chosen, setChosen] = useState<number>(tree.root);
  const [ran, setRan] = useState<DryRunBody>();
  const once = useOnce();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const flaws = error instanceof Problem ? error.flaws : [];
  const writes = may('writeTrees');
  const change = (next: TreeDraft) => {
    setTree(next);
    setRan(undefined);
  };

  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const told = saved
        ? await insist((signal) =>
            api.PUT('/trees/{id}', {
              params: { path: { id: saved.id } },
              body: { ...tree, version: saved.newest },
              signal,
            }),
          )
        : await once(tree, (key) =>
            insist((signal) =>
              api.POST('/trees', { params: { header: { 'Idempotency-Key': key } }, body: tree, signal }),
            ),
          );
      void client.invalidateQueries({ queryKey: treeKeys.lists });
      client.setQueryData(treeKeys.newest(told.id), told);
      void message.success(t('tree.saved', { n: told.version }));
      if (!saved || saved.version < saved.newest) await go(`/trees/${told.id}`, { replace: true });
    } catch (failure) {
      setError(failure);
      const field = failure instanceof Problem ? failure.flaws[0]?.field : undefined;
      const node = /^nodes\.(\d+)/.exec(field ?? '')?.[1];
      if (node) setChosen(Number(node));
    } finally {
      setBusy(false);
    }
  };

  const node = tree.nodes.find(({ id }) => id === chosen);
  return (
    <>
      <Title
        back={<Link to="/trees">← {t('nav.trees')}</Link>}
        extra={
          writes && (
            <Button type="primary" onClick={() => void save()} loading={busy}>
              {t(saved ? 'tree.saveNext' : 'tree.save')}
            </Button>
          )
        }
      >
        {saved ? saved.name || saved.id : t('tree.new')}
      </Title>
      {saved && (
        <p className="soft">
          {saved.newest > 1 ? <Versions saved={saved} /> : t('act.version', { n: saved.version })} ·{' '}
          <Actor actor={saved.saved_by} /> · <When ms={saved.saved_at_ms} /> · {t('review.hash')}{' '}
          <Short text={saved.hash} length={16} />
        </p>
      )}
      {saved && saved.version < saved.newest && (
        <Alert className="gap-bottom" type="info" showIcon title={t('tree.older', { n: saved.newest })} />
      )}
      {saved?.purpose === 'routing' && (
        <p className="soft">
          {t('tree.players')} <Copy text={`${window.location.origin}/go/${saved.id}`} />
        </p>
      )}
      {error !== undefined && (
        <div className="gap-bottom">
          <Trouble error={error} />
        </div>
      )}
      <FlawsOf value={flaws}>
        <Form layout="vertical" component="div" disabled={!writes}>
          <div className="fields">
            <At field="name" label={t('col.name')}>
              <Input
                value={tree.name}
                maxLength={80}
                onChange={(event) => change({ ...tree, name: event.target.value })}
              />
            </At>
            <At field="purpose" label={t('tree.purpose')}>
              <Segmented
                value={tree.purpose}
                onChange={(purpose) => change({ ...tree, purpose })}
                disabled={!writes || saved !== undefined}
                options={treePurposeValues.map((purpose) => ({
                  value: purpose,
                  label: t(`tree.${purpose}`),
                }))}
              />
            </At>
          </div>
          <div className="tree-page">
            <section className="panel">
              <h2 className="section-title">{t('tree.drawing')}</h2>
              <TreeDrawing
                tree={tree}
                chosen={chosen}
                choose={setChosen}
                ran={ran}
                wrong={flaws.map((flaw) => flaw.field)}
              />
            </section>
            <section className="panel">
              <h2 className="section-title">{t('tree.node', { n: chosen })}</h2>
              {node ? (
                <NodeEditor tree={tree} node={node} change={change} choose={setChosen} writes={writes} />
              ) : (
                <p className="soft">{t('tree.chooseNode')}</p>
              )}
            </section>
          </div>
        </Form>
      </FlawsOf>
      <DryRun tree={tree} ran={ran} told={setRan} />
      {saved?.purpose === 'admission' && <TreeUses id={saved.id} />}
    </>
  );
}
