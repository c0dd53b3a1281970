/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The configuration file: its keys as a table, each with what is allowed, and all faults found in one go. */
package io.phasewise.exporter.config;
