/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Makes an OTLP trace of a slow probe, and of one in so many of the others, and sends it. */
package io.phasewise.canary.trace;
