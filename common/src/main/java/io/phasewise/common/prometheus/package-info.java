/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The HTTP API of Prometheus and of what speaks it. Who uses this brings Jackson along; the
 * brokers' agent, which does neither, leaves the package out of its jar.
 */
package io.phasewise.common.prometheus;
