/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Texts and tables that are in the jar. What they mean is left to their readers. */
package io.phasewise.exporter.resource;
