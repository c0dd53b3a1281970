/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Whose a consumer group is: what is in it, and whether only a canary put it there. Joining one is
 * left to {@code receive}, deleting one to {@code commands}.
 */
package io.phasewise.canary.group;
