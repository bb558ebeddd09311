import { Grid, Select, Tabs } from 'antd';
import type { ReactNode } from 'react';

interface Props {
  label: string;
  value: string;
  change: (key: string) => void;
  items: { key: string; label: string; children: ReactNode }[];
}

/** Tabs, or where there is no room for them, a list of the same. */
export function Tabbed({ label, value, change, items }: Props) {
  const wide = Grid.useBreakpoint().md ?? true;
  const shown = items.find(({ key }) => key === value) ?? items[0];
  if (!wide) {
    return (
      <>
        <Select
          className="wide gap-bottom"
          aria-label={label}
          value={shown?.key ?? value}
          onChange={change}
          options={items.map((item) => ({ value: item.key, label: item.label }))}
        />
        {shown?.children}
      </>
    );
  }
  return <Tabs activeKey={shown?.key ?? value} onChange={change} destroyOnHidden items={items} />;
}
