/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Puts the parts together for one cluster and keeps them going, whatever the cluster does. */
package io.phasewise.canary.cluster;
