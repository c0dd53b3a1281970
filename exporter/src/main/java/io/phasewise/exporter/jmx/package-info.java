/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The broker's beans as metrics: which beans there are, what the rules make of them, and the JVM's own. */
package io.phasewise.exporter.jmx;
