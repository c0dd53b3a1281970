/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the canary, the exporter, the lab and the tools share. It depends on none of them, and but
 * for the package {@code prometheus} on nothing but the JDK.
 */
package io.phasewise.common;
