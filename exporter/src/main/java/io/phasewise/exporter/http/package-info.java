/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Answers who asks for metrics or marks: who may, in which format, and without waiting for beans that hang. */
package io.phasewise.exporter.http;
