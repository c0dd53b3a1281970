/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What can be broken of a cluster, and how it is mended. */
package io.phasewise.experiments.fault;
