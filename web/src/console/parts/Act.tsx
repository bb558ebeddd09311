// A button that asks once: a dialog says what will happen, takes what is needed for it, and shows why it failed.
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { App, Button, Checkbox, Form, Input, InputNumber, Modal, Select } from 'antd';
import { type ReactNode, useState } from 'react';
import { type Once, useOnce } from '../../api/once';
import { hasCode, Problem } from '../../api/problem';
import { type Field, type ValuesOf, valuesOf } from '../logic/fields';
import { type Say, useText } from '../text';
import { MomentInput } from './MomentInput';
import { SecondCode } from './SecondCode';
import { Trouble } from './states';
import { type Draft, draftOf, useDraft, useDraftGuard } from './useDraft';

interface Props<Fields extends readonly Field[], Answer> {
  label: string;
  /** What will happen, in a sentence or two. */
  says: ReactNode;
  fields?: Fields;
  /** `once` names this wish: what carries it is done once, however often it has to be sent. */
  run: (values: ValuesOf<Fields>, once: string) => Promise<Answer>;
  /** What to say afterwards; or nothing, where the page itself shows it. */
  done?: string | undefined;
  /** Reads that are not true any more afterwards. */
  refresh?: QueryKey[];
  danger?: boolean;
  primary?: boolean;
  small?: boolean;
  disabled?: boolean;
  link?: boolean;
  okLabel?: string;
  /** Instead of the dialog going away: what came of it, such as a secret that is shown once. */
  outcome?: (result: Answer) => ReactNode;
}

/** Whether an answer says that a second person has to approve first. */
export function waits(answer: unknown): boolean {
  return (
    typeof answer === 'object' && answer !== null && 'approval_id' in answer && Boolean(answer.approval_id)
  );
}

export function Act<const Fields extends readonly Field[] = readonly [], Answer = unknown>(
  props: Props<Fields, Answer>,
) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  // Beside the dialog and not in it: closed and opened again after a lost answer, the same is still the same wish.
  const once = useOnce();
  const { draft, keep } = useDraft();
  return (
    <>
      <Button
        {...(props.danger ? { danger: true } : {})}
        {...(props.link ? { type: 'link' } : props.primary ? { type: 'primary' } : {})}
        {...(props.small || props.link ? { size: 'small' } : {})}
        {...(props.disabled ? { disabled: true } : {})}
        onClick={() => setOpen(true)}
      >
        {props.label}
      </Button>
      {open && (
        <Dialog
          {...props}
          once={once}
          draft={draft}
          keep={keep}
          close={() => setOpen(false)}
          cancel={t('cancel')}
        />
      )}
    </>
  );
}

interface DialogProps<Fields extends readonly Field[], Answer> extends Props<Fields, Answer> {
  once: Once;
  draft: Draft;
  keep: (draft: Draft) => void;
  close: () => void;
  cancel: string;
}

function Dialog<const Fields extends readonly Field[], Answer>({
  once,
  draft,
  keep,
  close,
  cancel,
  ...props
}: DialogProps<Fields, Answer>) {
  const fields: readonly Field[] = props.fields ?? [];
  const { t } = useText();
  const client = useQueryClient();
  const { message } = App.useApp();
  const [form] = Form.useForm<Record<string, unknown>>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [result, setResult] = useState<{ answer: Answer }>();
  useDraftGuard(busy ? {} : draft, t('draft.leave'));
  const told = result !== undefined && props.outcome !== undefined;

  const go = async (typed: Record<string, unknown>) => {
    const values = valuesOf(fields, typed) as ValuesOf<Fields>;
    setBusy(true);
    setError(undefined);
    try {
      // Pressed again after an answer that never came, the same is asked for under the same id.
      const answer = await once(values, (id) => props.run(values, id));
      keep({});
      for (const queryKey of props.refresh ?? []) void client.invalidateQueries({ queryKey });
      if (props.outcome) {
        setResult({ answer });
        return;
      }
      // Whatever was asked for may turn out to need somebody else.
      if (waits(answer)) void message.info(t('appr.waits'));
      else if (props.done) void message.success(props.done);
      close();
    } catch (failure) {
      setError(failure);
      // What the page shows may be what made it fail: somebody else was faster.
      if (failure instanceof Problem && failure.status === 409) {
        for (const queryKey of props.refresh ?? []) void client.invalidateQueries({ queryKey });
      }
      if (hasCode(failure, 'invalid_field') && failure.field) {
        form.setFields([{ name: failure.field, errors: [failure.plain] }]);
        // Told at the field, and not a second time below it.
        if (fields.some(({ name }) => name === failure.field)) setError(undefined);
      }
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      open
      title={props.label}
      onCancel={close}
      onOk={() => (told ? close() : form.submit())}
      okText={told ? t('close') : (props.okLabel ?? props.label)}
      cancelText={cancel}
      okButtonProps={{ danger: props.danger ?? false, loading: busy }}
      cancelButtonProps={told ? { style: { display: 'none' } } : {}}
      mask={{ closable: false }}
      // What is shown once does not vanish by a key that was pressed for something else.
      keyboard={!told}
    >
      {told && props.outcome ? (
        props.outcome(result.answer)
      ) : (
        <>
          <div className="gap-bottom">{props.says}</div>
          <Form
            form={form}
            layout="vertical"
            onFinish={(values) => void go(values)}
            initialValues={{
              ...Object.fromEntries(fields.map((field) => [field.name, field.initial])),
              ...draft,
            }}
            onValuesChange={(_, all) => keep(draftOf(fields, all))}
            requiredMark="optional"
          >
            {fields.map((field) => (
              <OneField key={field.name} field={field} />
            ))}
          </Form>
          {error !== undefined && <Trouble error={error} />}
        </>
      )}
    </Modal>
  );
}

function OneField({ field }: { field: Field }) {
  const { t } = useText();
  const rules = field.optional || field.kind === 'check' ? [] : [{ required: true, message: t('needed') }];
  const shared = { name: field.name, rules, ...(field.help ? { extra: field.help } : {}) };
  if (field.kind === 'check') {
    return (
      <Form.Item {...shared} valuePropName="checked">
        <Checkbox>{field.label}</Checkbox>
      </Form.Item>
    );
  }
  return (
    <Form.Item {...shared} label={field.label}>
      {control(field)}
    </Form.Item>
  );
}

function control(field: Field): ReactNode {
  const options = [...(field.options ?? [])];
  switch (field.kind ?? 'text') {
    case 'area':
      // Of one height from the first frame on: one that grows moves the button away from under the pointer.
      return <Input.TextArea rows={3} maxLength={field.max ?? 500} />;
    case 'number':
      return (
        <InputNumber
          className="wide"
          precision={0}
          {...(field.min === undefined ? {} : { min: field.min })}
          {...(field.max === undefined ? {} : { max: field.max })}
        />
      );
    case 'select':
      return <Select options={options} aria-label={field.label} showSearch={{ optionFilterProp: 'label' }} />;
    case 'many':
      return <Select mode="multiple" options={options} aria-label={field.label} optionFilterProp="label" />;
    case 'moment':
      return <MomentInput />;
    case 'second':
      return <SecondCode />;
    case 'password':
      return <Input.Password autoComplete="off" />;
    default:
      return <Input maxLength={field.max ?? 500} />;
  }
}

/** The reason that goes with an act, and into the audit log. */
export function reasonField(t: Say, optional = false) {
  return {
    name: 'reason',
    label: t('reason'),
    kind: 'area',
    optional,
    help: t('reasonHelp'),
  } as const satisfies Field;
}

/** One that whoever it is about is shown. */
export function toldReason(t: Say) {
  return { ...reasonField(t), help: t('reasonTold') };
}
