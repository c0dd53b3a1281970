/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The admin client of a cluster: when it is opened and opened anew, and in what words its failures are told. */
package io.phasewise.canary.cluster.access;
