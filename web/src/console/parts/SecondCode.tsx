import { Button, Input } from 'antd';
import { useState } from 'react';
import { useText } from '../text';

interface Props {
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
  large?: boolean;
  autoFocus?: boolean;
}

/** Six digits of the app on a keyboard of digits; a recovery code, which has letters, for whoever asks for it. */
export function SecondCode({ id, value, onChange, large, autoFocus }: Props) {
  const { t } = useText();
  const [recovery, setRecovery] = useState(false);
  return (
    <>
      <Input
        key={recovery ? 'recovery' : 'digits'}
        {...(id ? { id } : {})}
        value={value ?? ''}
        onChange={(event) => onChange?.(event.target.value)}
        size={large ? 'large' : 'middle'}
        autoFocus={autoFocus || recovery}
        {...(recovery
          ? { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false, maxLength: 24 }
          : { autoComplete: 'one-time-code', inputMode: 'numeric', maxLength: 7 })}
      />
      <Button
        type="link"
        size="small"
        className="flush"
        onClick={() => {
          setRecovery(!recovery);
          onChange?.('');
        }}
      >
        {t(recovery ? 'second.useApp' : 'second.useRecovery')}
      </Button>
    </>
  );
}
