/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What the canary says about itself: problems, and the state of each cluster and broker. */
package io.phasewise.canary.show.status;
