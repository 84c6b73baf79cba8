#!/bin/bash
if true
