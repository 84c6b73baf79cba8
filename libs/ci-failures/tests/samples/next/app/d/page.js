'use client';
import fs from 'node:fs';
import './d.css';
import '../../components/Gone';
export const metadata = { title: 'x' };
export default function P() { return <p>{fs.x}</p>; }
