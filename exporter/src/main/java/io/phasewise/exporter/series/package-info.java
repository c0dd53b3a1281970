/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The exporter's own series as data: names, types, labels and help. What they show is left to
 * others.
 */
package io.phasewise.exporter.series;
