import { useMutation } from '@tanstack/react-query';
import { Alert, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import type { DryRunBody, FactBody, FactKind } from '../../api/wire';
import { At } from '../activity/At';
import { factOf, showFact } from '../logic/facts';
import type { TreeDraft } from '../logic/tree';
import { Trouble } from '../parts/states';
import { useText } from '../text';

interface Props {
  tree: TreeDraft;
  ran: DryRunBody | undefined;
  told: (ran: DryRunBody | undefined) => void;
}

/** The tree tried out as it is drawn, saved or not: with a user's facts, and others on top. */
export function DryRun({ tree, ran, told }: Props) {
  const { t } = useText();
  const [user, setUser] = useState('');
  const [typed, setTyped] = useState<Record<string, string>>({});
  const asked = new Map<string, FactKind>();
  for (const node of tree.nodes) if (node.fact) asked.set(node.fact, (node.type ?? 'number') as FactKind);
  const run = useMutation({
    mutationFn: () => {
      const facts: Record<string, FactBody> = {};
      for (const [name, kind] of asked) {
        const value = typed[name] ? factOf(kind, typed[name]) : undefined;
        if (value !== undefined) facts[name] = value;
      }
      const body = { tree, facts, ...(user.trim() ? { user_id: user.trim() } : {}) };
      return ask((signal) => api.POST('/trees/dry-run', { body, signal }));
    },
    onSuccess: told,
    onError: () => told(undefined),
  });
  return (
    <section className="panel">
      <h2 className="section-title">{t('tree.try')}</h2>
      <p className="soft">{t('tree.tryHelp')}</p>
      <Form layout="vertical" component="div">
        <div className="fields">
          <At field="dry.user" label={t('tree.tryUser')}>
            <Input value={user} onChange={(event) => setUser(event.target.value)} />
          </At>
          {[...asked].map(([name, kind]) => (
            <At key={name} field={`dry.${name}`} label={`${name} (${t(`fact.${kind}`)})`}>
              <Input
                value={typed[name] ?? ''}
                placeholder={kind === 'flag' ? 'true / false' : kind === 'tags' ? 'a, b' : ''}
                onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
              />
            </At>
          ))}
        </div>
      </Form>
      <Button type="primary" onClick={() => run.mutate()} loading={run.isPending}>
        {t('tree.run')}
      </Button>
      {run.error && (
        <div className="gap-top">
          <Trouble error={run.error} />
        </div>
      )}
      {ran && (
        <Alert
          className="gap-top"
          type={ran.leaf === 'deny' ? 'warning' : 'success'}
          showIcon
          title={`${t(ran.leaf === 'activity' ? 'tree.toActivity' : `tree.${ran.leaf}`)} ${ran.activity ?? ''}`}
          description={
            <ol className="story">
              {ran.steps.map((step) => (
                <li key={step.node}>
                  <code>{step.fact}</code> = {step.value == null ? t('none') : showFact(step.value)}:{' '}
                  {step.text}
                </li>
              ))}
            </ol>
          }
        />
      )}
    </section>
  );
}
