import { useState } from 'react';
import styles from './gone.module.css';
export default function P() { const [a] = useState(1); return <p className={styles.x}>{a}</p>; }
