/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The tables that declare the series of canary and exporter. What is counted in a series is left to
 * the program.
 */
package io.phasewise.common.series;
