import { startTheme } from '../theme/theme';
import '../theme/theme.css';

startTheme();
