/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Makes OTLP traces of slow probes, and of one in N of the others, and sends them. */
package io.phasewise.canary.show.trace;
