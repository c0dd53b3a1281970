/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The HTTP API of Prometheus and of other servers that have it. A module that uses this package
 * must bring Jackson along. The brokers' agent does not use it, and leaves the package out of its
 * jar.
 */
package io.phasewise.common.prometheus;
