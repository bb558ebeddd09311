import activity from './zh/activity';
import delivery from './zh/delivery';
import fields from './zh/fields';
import life from './zh/life';
import running from './zh/running';
import sales from './zh/sales';
import shell from './zh/shell';
import statistics from './zh/statistics';

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
