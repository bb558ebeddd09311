import activity from './en/activity';
import delivery from './en/delivery';
import fields from './en/fields';
import life from './en/life';
import running from './en/running';
import sales from './en/sales';
import shell from './en/shell';
import statistics from './en/statistics';

export default {
  ...shell,
  ...activity,
  ...delivery,
  ...fields,
  ...life,
  ...running,
  ...sales,
  ...statistics,
};
