"""The table `instruction`: weights by name, rounded. Written by `asterism.evals.dialogue_fit`; do not edit.

Fitted on msdc_train307 of the Minecraft Structured Dialogue Corpus, links of type Result (CC0).
"""

from __future__ import annotations

from asterism.core.dialogue.tables import Table, weights_from

FIRST = r"""
distance: 2 0.1 3 -0.1 5 -0.2 6_8 -0.1 9_12 -0.4 log -1.6 none: bias 0.7 new_speaker 0.3 goes_on 1 own_near 0.1 acts
0.3 y_names 0.1 named 0.3 has_partner 0.3 y_question 1 y_asks_wh 0.5 y_asks_aux 0.1 y_yes 0.7 y_no 0.4 y_acknowledge
0.5 y_thanks 0.2 y_welcome 0.1 y_greeting 0.2 y_sorry 0.8 y_laughs 0.3 y_commands -0.1 y_goes_on 0.3 y_now -1.1
y_first_person 0.6 y_second_person -0.1 y_third_thing 0.3 y_negates 0.6 y_corrects 0.3 y_done 0.2 y_like_this 0.3
y_praise 0.8 y_code 0.1 y_trails_off -0.4 y_exclaims 0.7 y_only_marks 0.1 y_roll -0.2 y_one_word 1.4 y_few_words 0.8
y_some_words 0.4 y_many_words 0.2 y_act -3.2 y_plain 0.6 no_words 1 best_shared 0.2 speaker: same -0.4 own_last 0.5
own_last.d2 0.2 same_turn -1 same_turn.start 1 other_nearest -0.2 other_turn 0.3 other_turn.start -1.1 other_since_own
0.1 other_since_own.first 1 last_of_x -0.2 last_turn_of_x 0.3 own_between -0.3 own_between_any -0.4 goes_on.same -0.3
goes_on.d1 0.3 goes_on.other_nearest 0.1 goes_on.other_turn 0.2 new.other -0.3 new.d1 -0.2 x_new -0.8 x_ends_turn 0.3
x_starts_turn 0.4 x_new_before_own -0.2 acts.aa -0.4 acts.ab -0.8 acts.ba 0.1 acts.bb 0.4 address: y_names_x -0.1
y_names_x.last -0.1 y_names_x.last_turn -0.1 y_names_x.nearest -0.1 y_names_x.x_free -0.1 y_names_x.x_acknowledge -0.1
neither -0.2 neither.d1 -0.2 neither.nearest -0.2 x_free.nearest -0.2 own.free -0.3 partner.last -0.1 x_partner.last
-0.1 form: x_question -0.5 x_question.same -0.3 y_question.same -0.1 y_question.d1 -0.5 x_asks_wh -0.3 x_asks_wh.same
-0.3 y_asks_wh.same -0.3 y_asks_wh.d1 -0.2 x_asks_aux 0.3 x_asks_aux.same -0.1 y_asks_aux.same 0.1 y_asks_aux.d1 0.2
x_asks_help 0.1 x_asks_help.same 0.1 x_yes 0.6 x_yes.same 0.5 y_yes.same -0.2 y_yes.d1 -0.2 x_no -0.5 x_no.same -0.6
y_no.same -0.1 y_no.d1 -0.1 x_acknowledge -0.1 x_acknowledge.same 0.9 y_acknowledge.same 0.5 y_acknowledge.d1 -0.4
x_thanks -0.1 x_thanks.same -0.1 y_thanks.same -0.1 y_thanks.d1 -0.1 x_welcome -0.9 x_welcome.same -0.1 y_welcome.same
-0.1 x_greeting -0.6 x_greeting.same -0.4 y_greeting.same -0.1 y_greeting.d1 -0.1 x_sorry -1.3 x_sorry.same -0.1
y_sorry.same -0.1 y_sorry.d1 -0.6 x_laughs -0.6 x_laughs.same -0.2 y_laughs.same -0.1 y_laughs.d1 -0.1 x_commands -0.3
x_commands.same -0.3 y_commands.same -0.3 y_commands.d1 0.7 x_advises 0.1 y_advises.same -0.1 x_goes_on.same 0.4
y_goes_on.same -0.4 y_goes_on.d1 0.3 x_now -0.2 x_now.same -0.1 y_now.same 0.9 x_first_person -0.4 x_first_person.same
-0.2 y_first_person.same -0.2 y_first_person.d1 -0.4 x_second_person.same 0.1 y_second_person.same -0.1
y_second_person.d1 0.2 x_third_thing 0.1 y_third_thing.same 0.1 y_third_thing.d1 0.2 x_negates.same -0.3
y_negates.same 0.2 y_negates.d1 -0.5 x_corrects 0.1 x_corrects.same -0.1 y_corrects.same 0.1 x_done 0.2 x_done.same
0.7 y_done.same -0.2 y_done.d1 -0.2 x_like_this 0.3 x_like_this.same 0.5 y_like_this.same 0.1 y_like_this.d1 -0.4
x_praise 0.3 x_praise.same 0.7 y_praise.same -0.4 y_praise.d1 -0.4 x_thinks 0.1 x_thinks.same -0.2 x_number 0.2
x_number.same 0.1 y_number.same -0.1 y_number.d1 0.3 y_code.same -0.1 x_trails_off -0.9 x_trails_off.same 0.7
y_trails_off.same 0.2 y_trails_off.d1 0.1 x_exclaims -0.2 x_exclaims.same 0.4 y_exclaims.same -0.2 y_exclaims.d1 -0.5
x_only_marks -0.2 y_only_marks.same -0.1 y_only_marks.d1 -0.1 x_roll 0.2 x_roll.same -0.2 x_one_word -0.1
x_one_word.same 0.5 y_one_word.same -0.5 y_one_word.d1 -0.1 y_few_words.same -0.4 y_few_words.d1 0.4 x_some_words 0.1
x_some_words.same -0.8 y_some_words.same 0.1 y_some_words.d1 0.5 x_many_words -0.3 x_many_words.same 0.1
y_many_words.same 0.3 y_many_words.d1 0.1 x_act 0.2 x_act.same -0.7 y_act.same 0.2 y_act.d1 0.2 x_plain -0.2
x_plain.same -0.1 y_plain.d1 0.3 pair: question>yes -0.1 question>commands -0.3 question>corrects -0.1
question>second_person -0.1 question>goes_on -0.1 question>now -0.1 question>plain -0.3 question>act 0.6
asks_wh>commands -0.1 asks_wh>plain -0.1 asks_wh>act 0.2 yes>question -0.3 yes>acknowledge -0.1 yes>commands 0.1
yes>advises 0.1 yes>praise -0.1 yes>second_person 0.5 yes>goes_on -0.1 yes>now 0.3 yes>plain -0.2 yes>act 0.6 no>plain
-0.1 no>act 0.3 acknowledge>question -0.2 acknowledge>acknowledge -0.2 acknowledge>thanks -0.1 acknowledge>commands
-0.3 acknowledge>second_person 0.2 acknowledge>goes_on -0.1 acknowledge>now -0.2 acknowledge>plain -0.2
acknowledge>act -0.1 greeting>plain -0.1 commands>question -0.2 commands>commands -0.1 commands>first_person -0.1
commands>second_person -0.1 commands>goes_on -0.1 commands>now -0.1 commands>plain -0.2 commands>act 0.6
advises>commands 0.1 advises>second_person 0.2 advises>act -0.1 corrects>plain -0.1 corrects>act 0.4 done>plain -0.1
done>act -0.4 praise>question -0.1 praise>acknowledge -0.1 praise>thanks -0.1 praise>commands -0.1
praise>second_person -0.1 praise>goes_on 0.4 praise>now 0.4 praise>plain 0.2 praise>act -0.2
first_person>second_person 0.2 first_person>now 0.1 first_person>act -0.2 second_person>yes 0.2 second_person>commands
0.1 second_person>second_person 0.1 second_person>plain -0.1 second_person>act -0.2 goes_on>question -0.1
goes_on>acknowledge -0.1 goes_on>second_person -0.1 goes_on>now -0.1 goes_on>plain -0.2 now>question -0.1 now>plain
-0.1 now>act 0.1 plain>question -0.3 plain>asks_wh -0.1 plain>yes 0.1 plain>acknowledge -0.3 plain>commands -0.1
plain>corrects -0.1 plain>done 0.2 plain>first_person -0.1 plain>second_person -0.1 plain>now -0.1 plain>plain -0.8
plain>act 1.3 act>yes -0.6 act>no -0.2 act>acknowledge -0.3 act>commands 1.1 act>advises 0.1 act>corrects -0.3
act>done -0.1 act>praise -0.3 act>first_person -0.2 act>second_person -0.2 act>goes_on 0.5 act>now 0.3 act>plain 1.2
act>act -0.3 open: nearest_question -0.1 own_nearest_question -0.3 question_between -0.5 nearest_commands 0.4
own_nearest_commands -0.3 commands_between -1.2 nearest_act 1.3 own_nearest_act -0.6 act_between -2.2
own_nearest_asks_help 0.1 own_nearest_thanks -0.1 thanks_between -0.1 nearest_greeting -0.2 own_nearest_greeting -0.4
greeting_between -0.1 own_nearest_plain -0.3 question.y_answers -0.1 question.y_answers_since_own -0.5
y_acknowledge.other_nearest -0.6 y_acknowledge.own_last -0.1 y_thanks.other_nearest -0.1 y_thanks.own_last -0.1
y_yes.other_nearest -0.2 y_no.other_nearest -0.1 y_no.own_last -0.1 y_act.other_nearest 1.9 y_act.own_last 0.5
y_commands.other_nearest -0.4 y_question.other_nearest -0.5 y_question.own_last -0.3 y_plain.other_nearest -0.2
y_plain.own_last 0.3 y_goes_on.other_nearest -0.2 y_goes_on.own_last 0.3 y_now.own_last -0.5 words: overlap 0.5
overlap.same -0.3 shared 0.1 shared.same -0.3 best -0.3 best.other 0.1 any -0.6 none_between 0.8 size_x -0.2 short_x
-0.3 says: x=the -0.7 x=a -0.7 x=to -0.6 x=block -0.4 x=on -0.4 x=one -0.7 x=now -0.4 x=blocks -0.7 x=and -0.5 x=it
-0.3 x=you -0.4 x=top -0.5 x=ok 0.2 x=red -0.3 x=right 0.1 x=is -0.1 x=in -0.5 x=like -0.3 x=this -0.3 x=yellow -0.3
x=orange -0.3 x=so -0.3 x=purple -0.2 x=blue -0.2 x=green -0.2 x=two -0.3 x=place -0.3 x=side -0.2 x=left -0.3 x=from
-0.3 x=then -0.2 x=i -0.1 x=we -0.3 x=be -0.1 x=put -0.1 x=okay 0.6 x=make -0.2 x=has -0.2 x=more -0.4 x=mission -0.2
x=started -0.2 x=row -0.2 x=good 0.2 x=sorry -0.4 x=middle -0.1 x=are -0.2 x=same -0.2 x=yes 0.2 x=bottom -0.1 x=up
-0.1 x=add -0.1 x=down -0.2 x=three -0.1 x=going -0.2 x=yeah 0.1 x=ground -0.1 x=but -0.3 x=great 0.3 x=there 0.5
x=next -0.1 x=square -0.1 x=start -0.3 x=space -0.2 x=no -0.3 x=column -0.1 x=an -0.2 x=do -0.2 x=above -0.1 x=go 0.3
x=all -0.1 x=remove -0.1 x=can -0.2 x=last -0.1 x=or -0.2 x=out -0.1 x=for 0.1 x=first 0.1 x=floating -0.2 x=it's -0.1
x=at 0.1 x=line -0.1 x=by -0.1 x=diagonal -0.1 x=need -0.1 x=what -0.1 x=nice 0.3 x=yep 0.7 x=towards -0.1 x=we're
-0.2 x=cool 0.5 x=done 0.1 x=looks -0.2 x=not -0.1 x=edge -0.1 x=behind -0.1 x=layer -0.1 x=ll -0.2 x=those -0.1
x=stack -0.1 x=oh -0.5 x=move -0.2 x=away -0.1 x=its -0.3 x=me 0.1 x=bricks -0.1 x=here -0.1 x=brick -0.1 x=where -0.1
x=as -0.1 x=yup 0.4 x=hi -0.2 x=them -0.1 x=you're -0.2 x=hello -0.2 x=thing -0.1 x=t 0.1 x=corners 0.1 x=between 0.1
x=spaces -0.1 x=how 0.1 x=delete -0.1 x=back -0.2 x=l -0.1 x=only -0.1 x=alright 0.4 x=get -0.1 x=tower 0.1 x=building
-0.1 x=my 0.1 x=thats 0.3 x=they -0.1 x=end -0.1 x=shape -0.1 x=direction -0.1 x=empty -0.1 x=most -0.1 x=was -0.2
x=which -0.1 x=off -0.1 x=rectangle -0.1 x=high -0.1 x=level 0.2 x=look -0.1 x=ones -0.1 x=ready -0.1 x=again -0.1
x=break -0.1 x=o -0.1 x=color -0.1 x=step 0.1 x=four -0.1 x=making -0.1 x=wall -0.1 x=got -0.2 x=starting -0.2 x=wait
-0.2 x=vertical -0.1 x=did 0.1 x=let -0.1 x=see 0.1 x=check -0.1 x=directly 0.1 x=lol -0.2 x=also -0.1 x=some -0.1
x=ya 0.1 x=over -0.1 x=use -0.1 x=too 0.1 x=yea -0.2 x=mean -0.1 x=underneath -0.1 x=these -0.1 x=job -0.1 x=part 0.1
x=face 0.1 x=lets -0.1 x=across -0.1 x=correct -0.2 none=a 0.2 none=to -0.2 none=block -0.2 none=on -0.6 none=one 0.2
none=that -0.4 none=now -1.6 none=blocks -0.1 none=it 0.7 none=you -0.1 none=top -0.4 none=ok 0.1 none=red -0.1
none=right -0.2 none=in -0.1 none=like 0.2 none=this 0.4 none=yellow -0.2 none=orange -0.2 none=purple -0.1 none=blue
-0.1 none=green -0.2 none=place 0.4 none=side -0.2 none=left -0.3 none=from -0.2 none=then -0.6 none=i 0.1 none=we
-0.2 none=with -0.1 none=be 0.1 none=put 0.3 none=okay 0.2 none=make 0.1 none=has -0.1 none=more -0.5 none=row -0.3
none=good 0.3 none=just -0.2 none=build 0.1 none=sorry 0.6 none=middle -0.2 none=should 0.7 none=are 0.1 none=same
-0.5 none=another -0.6 none=yes 0.3 none=bottom -0.1 none=up 0.1 none=will 0.1 none=other -0.4 none=down -0.4
none=three -0.1 none=going -0.3 none=perfect 0.2 none=yeah 0.3 none=ground 0.5 none=each 0.1 none=but 1.1 none=great
0.1 none=there 0.1 none=next 0.1 none=square -0.1 none=start 1.1 none=space 0.5 none=corner -0.2 none=no 0.2
none=column -0.1 none=an -0.2 none=do -0.4 none=above -0.4 none=go -0.4 none=all 0.2 none=remove -0.5 none=can -0.9
none=center 0.2 none=last -0.3 none=or 0.2 none=out -0.5 none=for 0.1 none=first 1.1 none=floating 0.1 none=front -0.2
none=it's 0.4 none=at 0.2 none=by 0.2 none=diagonal 0.1 none=need 0.4 none=what 0.2 none=yep 0.1 none=we're 0.3
none=that's -0.1 none=cool 0.3 none=done -0.1 none=looks 0.3 none=edge 0.8 none=behind -0.1 none=layer -0.3 none=ll
0.2 none=those -0.3 none=structure -0.1 none=have 0.3 none=stack -0.1 none=oh 0.4 none=move 0.5 none=away 0.1 none=its
0.4 none=me 0.4 none=bricks 0.3 none=here -0.2 none=placed 0.4 none=your -0.1 none=where 0.1 none=as 0.1 none=yup 0.2
none=hi 0.1 none=them 0.3 none=you're 0.1 none=hello 0.1 none=thing -0.1 none=t -0.2 none=think -0.5 none=corners -0.2
none=between 0.2 none=spaces 0.2 none=diagonally -0.1 none=delete 0.1 none=back -0.5 none=below -0.5 none=second -0.4
none=l 0.4 none=alright -0.3 none=get 0.4 none=connect -0.7 none=building 0.2 none=my 0.2 none=thats 0.2 none=they 0.5
none=end 0.3 none=if -0.2 none=shape -0.3 none=direction -0.4 none=empty -0.1 none=was 0.2 none=which 0.1 none=off
-0.1 none=high 0.2 none=look -0.1 none=ones 0.2 none=ready 0.1 none=again -0.6 none=break -0.5 none=tall 0.2 none=o
0.4 none=3x3 0.2 none=step -0.3 none=four 0.2 none=making -0.1 none=wall -0.2 none=starting 0.1 none=squares 0.3
none=wait 0.1 none=u -0.2 none=vertical -0.2 none=did 0.2 none=facing 0.2 none=let 0.3 none=see -0.2 none=base 0.1
none=check 0.4 none=directly 0.3 none=lol 0.1 none=long 0.3 none=also -0.2 none=x -0.2 none=flat 0.1 none=near 0.2
none=parallel 0.1 none=some 0.1 none=ya 0.1 none=over 0.4 none=pillar -0.1 none=bad 0.2 none=either 0.3 none=too -0.1
none=yea 0.1 none=both -0.2 none=does 0.1 none=touching 0.2 none=way 0.2 none=legs -0.2 none=made 0.2 none=mean 0.2
none=plus 0.1 none=standing 0.2 none=plane -0.1 none=sides -0.2 none=underneath -0.2 none=wide 0.4 none=actually 0.4
none=staircase -0.3 none=third -0.3 none=very 0.1 none=built -0.1 none=gonna 0.1 none=horizontal 0.1 none=these -0.2
none=fill -0.2 none=part -0.2 none=rows -0.2 none=time 0.1 none=face -0.1 none=meant 0.2 none=correct 0.3 none=current
0.4 the>act 0.5 of>act 0.1 a>act 0.2 to>act 0.1 block>act -0.1 on>act -0.2 one>act 0.4 that>act 0.2 now>act -0.1
blocks>act -0.1 it>act 0.4 you>act 0.6 top>act 0.3 ok>act -1.1 red>act 0.5 is>act -0.1 in>act -0.3 this>act -0.4
yellow>act 0.4 orange>act 0.3 so>act 0.2 purple>act 0.4 blue>act 0.4 green>act 0.3 place>act 0.3 side>act 0.3 left>act
0.2 from>act 0.1 then>act 0.1 i>act 0.2 we>act -0.2 with>act 0.3 okay>act -0.6 make>act 0.4 has>act -0.4 more>act 0.3
mission>act -0.2 started>act -0.1 good>act -0.3 just>act 0.2 build>act 0.4 sorry>act -0.5 middle>act 0.4 should>act
0.2 are>act -0.1 same>act 0.4 yes>act 0.2 bottom>act 0.1 up>act 0.6 will>act 0.1 other>act 0.3 add>act 0.4 down>act
0.1 three>act -0.1 going>act 0.2 perfect>act -0.1 yeah>act -0.2 ground>act 0.2 each>act 0.2 but>act 0.4 great>act -0.3
there>act 0.3 next>act -0.1 start>act 0.1 corner>act 0.1 no>act -0.3 column>act -0.4 an>act 0.1 do>act -0.1 above>act
0.2 go>act -0.1 remove>act 0.1 can>act 0.1 center>act 0.4 last>act -0.1 or>act -0.2 out>act -0.1 for>act 0.2 first>act
0.2 floating>act 0.3 it's>act 0.3 line>act 0.4 by>act -0.1 need>act 0.1 what>act -0.1 nice>act -0.2 yep>act -0.3
towards>act 0.4 we're>act -0.4 cool>act -0.1 done>act -0.3 looks>act -0.2 not>act 0.6 edge>act -0.2 layer>act 0.3
have>act 0.8 stack>act 0.3 oh>act 0.3 move>act 0.3 away>act -0.2 its>act -0.3 me>act 0.2 bricks>act 0.2 here>act -0.1
brick>act 0.2 placed>act 0.1 your>act -0.2 where>act 0.1 as>act 0.2 yup>act 0.4 hi>act -0.1 them>act 0.5 hello>act
-0.1 thing>act -0.1 t>act -0.2 think>act 0.3 corners>act -0.1 between>act -0.6 spaces>act -0.3 diagonally>act 0.5
how>act 0.1 delete>act 0.1 back>act 0.1 below>act 0.1 second>act -0.3 l>act -0.3 only>act 0.1 alright>act -0.1 get>act
0.1 connect>act 0.2 tower>act 0.4 building>act -0.1 my>act -0.3 thats>act -0.2 they>act 0.2 end>act 0.2 if>act -0.1
shape>act 0.4 direction>act 0.3 empty>act 0.3 most>act -0.1 was>act -0.2 which>act -0.1 off>act -0.2 rectangle>act 0.3
high>act 0.1 level>act -0.2 look>act 0.1 ones>act -0.1 break>act 0.1 tall>act 0.2 o>act 0.2 3x3>act 0.3 color>act -0.1
step>act 0.1 four>act -0.4 making>act 0.1 got>act -0.5 starting>act 0.2 squares>act -0.1 wait>act -0.1 u>act 0.1
vertical>act -0.3 did>act 0.2 facing>act 0.3 see>act -0.2 base>act 0.2 directly>act 0.1 lol>act -0.2 want>act 0.1
also>act 0.3 opposite>act 0.1 toward>act 0.1 x>act 0.1 flat>act -0.1 near>act 0.3 parallel>act 0.1 over>act 0.2
pillar>act 0.3 either>act -0.1 yea>act -0.3 both>act 0.2 does>act -0.2 touching>act 0.3 way>act 0.1 legs>act -0.1
mean>act 0.1 standing>act -0.2 plane>act 0.2 sides>act 0.1 underneath>act 0.1 2x2>act 0.1 columns>act -0.1
actually>act -0.2 staircase>act 0.3 third>act -0.1 very>act -0.6 built>act 0.1 cross>act 0.1 gonna>act 0.2
horizontal>act 0.3 these>act -0.1 fill>act -0.1 part>act -0.6 rows>act -0.1 face>act 0.1 lets>act -0.1 meant>act 0.6
across>act 0.2 correct>act -0.4 current>act 0.3 act>of 0.1 act>a 0.2 act>to 0.1 act>block -0.1 act>on 0.3 act>one 0.2
act>that 0.2 act>blocks -0.3 act>and 0.4 act>it -0.1 act>you -0.3 act>top 0.1 act>ok -0.2 act>red 0.4 act>right 0.1
act>is 0.2 act>in -0.1 act>this 0.5 act>orange 0.2 act>so -0.5 act>blue 0.4 act>green 0.2 act>two 0.2 act>place 0.1
act>side -0.1 act>left -0.1 act>from 0.3 act>then 0.3 act>we 0.4 act>with 0.2 act>be -0.2 act>put -0.4 act>okay -0.2
act>make -0.1 act>has 0.1 act>row 0.1 act>good -0.2 act>just -0.2 act>build 0.2 act>sorry -0.4 act>middle 0.8
act>should -0.5 act>are -0.2 act>same 0.1 act>another 0.3 act>yes -0.2 act>bottom -0.1 act>up 0.1 act>will -0.2
act>other 0.1 act>add 0.3 act>going 0.1 act>perfect -0.1 act>yeah -0.2 act>each 0.1 act>but -0.4 act>great 0.1
act>there -0.3 act>next -0.1 act>square 0.2 act>start -0.1 act>space -0.3 act>no -0.1 act>column 0.1 act>do 0.1
act>above 0.5 act>all -0.2 act>remove 0.5 act>center -0.1 act>last 0.3 act>for 0.2 act>first -0.2 act>floating -0.1
act>it's -0.3 act>at -0.3 act>line -0.1 act>yep -0.2 act>towards 0.1 act>that's -0.1 act>cool -0.1 act>not -0.4
act>edge 0.1 act>behind 0.1 act>layer -0.1 act>ll 0.1 act>those 0.3 act>have -0.1 act>stack -0.1 act>oh -0.2 act>move
-0.1 act>away 0.1 act>its -0.3 act>me -0.1 act>bricks 0.1 act>here 0.1 act>brick -0.1 act>placed -0.5 act>your 0.1
act>where 0.2 act>as 0.3 act>yup -0.1 act>them -0.1 act>you're 0.2 act>thing -0.2 act>t 0.3 act>think 0.3 act>corners
-0.2 act>between -0.3 act>spaces -0.4 act>delete -0.1 act>back 0.1 act>below 0.4 act>l -0.2 act>only -0.1 act>alright
0.2 act>get -0.1 act>connect 0.2 act>building -0.1 act>my -0.1 act>thats -0.2 act>they -0.3 act>end -0.2 act>if 0.2
act>shape 0.1 act>direction 0.2 act>empty 0.2 act>most -0.2 act>was -0.2 act>rectangle 0.1 act>high -0.1 act>level
-0.4 act>look 0.2 act>ones -0.1 act>again 0.4 act>break 0.2 act>tall 0.1 act>o -0.4 act>3x3 0.1 act>step -0.3 act>four
-0.3 act>wall 0.2 act>got -0.1 act>squares -0.1 act>wait -0.1 act>u -0.2 act>did -0.2 act>facing -0.1 act>let -0.1
act>check -0.1 act>lol -0.1 act>want -0.2 act>also -0.1 act>opposite -0.1 act>toward -0.1 act>x 0.4 act>flat -0.1
act>parallel -0.1 act>some 0.2 act>ya -0.1 act>over -0.1 act>pillar 0.1 act>use -0.1 act>either -0.1 act>both 0.2
act>touching -0.2 act>way -0.1 act>legs 0.3 act>made -0.3 act>mean -0.1 act>plus -0.1 act>standing 0.1 act>sides 0.2
act>underneath 0.2 act>wide -0.1 act>2x2 0.1 act>columns 0.1 act>actually -0.2 act>built 0.2 act>cross -0.2 act>gonna
-0.1 act>horizontal -0.1 act>table 0.1 act>these 0.2 act>fill 0.2 act>part 0.2 act>rows -0.1 act>lets 0.1 act>meant
-0.2 act>across -0.1 act>correct -0.2 act>current -0.3
"""
SECOND = r"""
distance: 1 -0.1 2 0.1 4 0.1 5 -0.1 9_12 -0.3 log -1 none: bias 0.4 new_speaker 0.2 goes_on 0.4 own_near -0.2 acts 0.2
y_names 0.1 named 0.3 has_partner 0.3 y_question 0.6 y_asks_wh 0.3 y_asks_aux 0.2 y_yes 0.4 y_no 0.3 y_acknowledge 0.3
y_thanks 0.2 y_welcome 0.1 y_greeting 0.1 y_sorry 0.6 y_laughs 0.2 y_commands -0.1 y_advises 0.1 y_goes_on 0.2 y_now
-0.5 y_first_person 0.4 y_second_person -0.2 y_third_thing 0.1 y_negates 0.4 y_corrects 0.2 y_done 0.1 y_like_this 0.2
y_praise 0.5 y_thinks 0.1 y_number -0.2 y_code 0.1 y_trails_off -0.2 y_exclaims 0.5 y_only_marks 0.1 y_roll -0.1
y_one_word 0.8 y_few_words 0.3 y_some_words 0.1 y_many_words 0.2 y_act -2 y_plain 0.3 no_words 0.6 best_shared 0.1
own_started 0.3 line_before_starts -0.1 next_answers -0.2 answered 0.3 speaker: same -0.3 own_last -0.1 own_last.d2
-0.1 same_turn -0.3 same_turn.start 0.4 other_turn.start -0.7 other_since_own -0.2 other_since_own.first 0.3
own_between -0.1 own_between_any 0.1 goes_on.same -0.1 goes_on.other_nearest 0.1 goes_on.other_turn 0.2 new.other -0.2
new.d1 -0.1 x_new -0.7 x_ends_turn 0.5 x_starts_turn 0.4 x_new_before_own -0.2 acts.aa -0.3 acts.ab -0.5 acts.ba 0.1
acts.bb 0.3 address: own.free -0.2 partner -0.1 form: x_question -0.4 x_question.same -0.3 y_question.d1 -0.3
x_asks_wh -0.2 x_asks_wh.same -0.2 y_asks_wh.same -0.3 y_asks_wh.d1 -0.2 x_asks_aux 0.1 x_asks_aux.same -0.1
y_asks_aux.same 0.1 y_asks_aux.d1 0.1 x_asks_help 0.1 x_asks_help.same 0.1 x_yes 0.3 x_yes.same 0.2 y_yes.same -0.1
y_yes.d1 -0.1 x_no -0.3 x_no.same -0.5 y_no.same -0.2 x_acknowledge -0.1 x_acknowledge.same 0.5 y_acknowledge.same 0.3
y_acknowledge.d1 -0.2 x_thanks -0.1 x_thanks.same -0.1 y_thanks.same -0.1 y_thanks.d1 -0.1 x_welcome -0.8
x_welcome.same -0.1 y_welcome.same -0.1 x_greeting -0.5 x_greeting.same -0.4 y_greeting.same -0.1 y_greeting.d1 -0.1
x_sorry -1 y_sorry.same -0.1 y_sorry.d1 -0.4 x_laughs -0.5 x_laughs.same -0.2 y_laughs.same -0.1 y_laughs.d1 -0.1
x_commands -0.2 x_commands.same -0.1 y_commands.same -0.1 y_commands.d1 0.2 x_advises 0.1 x_advises.same 0.1
y_advises.same -0.1 y_advises.d1 0.1 x_goes_on.same 0.4 y_goes_on.same -0.2 y_goes_on.d1 0.1 x_now -0.1 y_now.same 0.3
y_now.d1 0.1 x_first_person -0.3 x_first_person.same -0.1 y_first_person.same -0.2 y_first_person.d1 -0.1
y_second_person.same -0.2 y_second_person.d1 0.1 y_third_thing.same 0.1 y_third_thing.d1 0.1 x_negates.same -0.2
y_negates.same 0.2 y_negates.d1 -0.3 x_done 0.2 x_done.same 0.6 y_done.same -0.2 y_done.d1 -0.1 x_like_this 0.3
x_like_this.same 0.4 y_like_this.same 0.1 y_like_this.d1 -0.3 x_praise 0.3 x_praise.same 0.5 y_praise.same -0.2
y_praise.d1 -0.2 x_thinks 0.1 x_thinks.same -0.2 x_number 0.1 x_number.same 0.2 y_code.same -0.1 x_trails_off -0.6
x_trails_off.same 0.5 y_trails_off.d1 0.1 x_exclaims -0.1 x_exclaims.same 0.4 y_exclaims.same -0.2 y_exclaims.d1 -0.3
x_only_marks -0.2 y_only_marks.same -0.1 y_only_marks.d1 -0.1 x_roll 0.2 x_roll.same -0.2 y_roll.d1 -0.1
x_one_word.same 0.1 y_one_word.same -0.3 y_one_word.d1 0.2 x_few_words 0.1 x_few_words.same -0.2 y_few_words.same -0.2
y_few_words.d1 0.3 x_some_words 0.1 x_some_words.same -0.5 y_some_words.same 0.2 y_some_words.d1 0.2 x_many_words -0.2
x_many_words.same 0.1 y_many_words.same 0.2 y_many_words.d1 0.1 x_act 0.2 x_act.same -0.3 y_act.same -0.1 y_act.d1 0.3
x_plain -0.2 x_plain.same -0.2 y_plain.same 0.2 pair: question>yes -0.1 question>commands -0.3 question>second_person
-0.1 question>goes_on -0.1 question>now -0.1 question>plain -0.3 question>act 0.5 asks_wh>commands -0.1 asks_wh>plain
-0.1 asks_wh>act 0.2 yes>question -0.2 yes>commands 0.2 yes>advises 0.1 yes>praise -0.1 yes>second_person 0.5
yes>goes_on -0.1 yes>now 0.4 yes>plain -0.1 yes>act 0.5 no>plain -0.1 no>act 0.3 acknowledge>question -0.1
acknowledge>acknowledge -0.1 acknowledge>thanks -0.1 acknowledge>commands -0.2 acknowledge>corrects 0.1
acknowledge>second_person 0.2 acknowledge>goes_on -0.1 acknowledge>now -0.1 acknowledge>plain -0.1 commands>question
-0.1 commands>commands -0.1 commands>now -0.1 commands>plain -0.2 commands>act 0.3 advises>commands 0.2
advises>second_person 0.2 advises>act -0.1 corrects>act 0.2 done>plain -0.1 done>act -0.3 praise>question -0.1
praise>acknowledge -0.1 praise>thanks -0.1 praise>commands -0.1 praise>second_person -0.1 praise>goes_on 0.4
praise>now 0.5 praise>plain 0.2 praise>act -0.2 first_person>commands 0.1 first_person>second_person 0.2
first_person>now 0.1 first_person>act -0.2 second_person>yes 0.2 second_person>commands 0.1
second_person>second_person 0.2 second_person>act -0.3 goes_on>second_person -0.1 goes_on>now -0.1 goes_on>plain -0.2
goes_on>act -0.1 now>act 0.1 plain>question -0.2 plain>yes 0.2 plain>acknowledge -0.2 plain>corrects -0.1 plain>done
0.2 plain>first_person -0.1 plain>second_person -0.1 plain>goes_on 0.1 plain>plain -0.5 plain>act 0.7 act>question 0.1
act>asks_wh 0.1 act>yes -0.4 act>no -0.1 act>acknowledge -0.1 act>commands 0.6 act>advises 0.1 act>corrects -0.2
act>done -0.1 act>praise -0.2 act>first_person -0.1 act>second_person -0.1 act>goes_on 0.3 act>now 0.1 act>plain 0.7
act>act -0.3 open: own_nearest_question -0.1 question_between -0.4 nearest_commands 0.2 own_nearest_commands -0.1
commands_between -0.7 nearest_act 0.7 own_nearest_act -0.2 act_between -0.9 own_nearest_asks_help 0.1
own_nearest_thanks -0.1 thanks_between -0.1 nearest_greeting -0.1 own_nearest_greeting -0.4 greeting_between -0.2
own_nearest_plain 0.3 plain_between -0.1 question.y_answers_since_own -0.3 y_acknowledge.other_nearest -0.2
y_thanks.other_nearest -0.1 y_thanks.own_last -0.1 y_no.own_last -0.1 y_act.other_nearest 0.6 y_act.own_last 0.5
y_commands.own_last -0.3 y_question.other_nearest -0.3 y_question.own_last -0.2 y_plain.other_nearest 0.2
y_plain.own_last -0.1 y_goes_on.other_nearest -0.1 y_goes_on.own_last 0.2 y_now.own_last -0.3 words: overlap 0.5
overlap.same -0.2 shared 0.1 shared.same -0.1 best -0.2 best.other 0.1 any -0.3 none_between 0.1 size_x -0.1 short_x
-0.1 says: x=the -0.3 x=of 0.2 x=a -0.4 x=to -0.5 x=block -0.2 x=on -0.2 x=one -0.5 x=that 0.1 x=now -0.2 x=blocks
-0.6 x=and -0.4 x=it -0.2 x=you -0.3 x=top -0.4 x=ok 0.2 x=red -0.1 x=right 0.2 x=in -0.5 x=like -0.2 x=this -0.3
x=yellow -0.2 x=orange -0.2 x=so -0.3 x=purple -0.1 x=blue -0.1 x=green -0.2 x=two -0.2 x=place -0.2 x=side -0.2
x=left -0.3 x=from -0.2 x=then -0.1 x=we -0.3 x=with 0.1 x=put -0.1 x=okay 0.6 x=make -0.2 x=has -0.2 x=more -0.3
x=mission -0.1 x=started -0.1 x=row -0.1 x=good 0.2 x=build 0.1 x=sorry -0.3 x=are -0.1 x=same -0.2 x=yes 0.2 x=bottom
-0.1 x=up -0.1 x=add -0.1 x=down -0.2 x=three -0.1 x=going -0.1 x=ground -0.1 x=each 0.1 x=but -0.3 x=great 0.5
x=there 0.4 x=next -0.1 x=square -0.1 x=start -0.3 x=space -0.1 x=no -0.2 x=column -0.1 x=an -0.2 x=do -0.1 x=above
-0.1 x=go 0.3 x=all -0.1 x=remove -0.1 x=can -0.1 x=center 0.1 x=last -0.1 x=or -0.2 x=out -0.1 x=for 0.2 x=first 0.1
x=floating -0.2 x=it's -0.1 x=at 0.2 x=line -0.1 x=by -0.1 x=diagonal -0.1 x=need -0.1 x=what -0.1 x=nice 0.2 x=yep
0.6 x=towards -0.1 x=we're -0.2 x=cool 0.4 x=looks -0.3 x=not -0.1 x=edge -0.1 x=behind -0.1 x=layer -0.1 x=ll -0.1
x=those -0.1 x=oh -0.5 x=move -0.2 x=its -0.3 x=me 0.1 x=bricks -0.1 x=here -0.1 x=brick -0.1 x=where -0.1 x=as -0.1
x=yup 0.4 x=hi -0.2 x=you're -0.2 x=hello -0.1 x=thing -0.1 x=t 0.2 x=corners 0.2 x=between 0.2 x=spaces -0.1 x=how
0.2 x=delete -0.1 x=back -0.2 x=second 0.1 x=l -0.1 x=only -0.1 x=alright 0.4 x=get -0.1 x=tower 0.1 x=building -0.1
x=my 0.1 x=thats 0.3 x=they -0.1 x=end -0.1 x=if 0.1 x=shape -0.1 x=direction -0.1 x=empty -0.1 x=most -0.1 x=was -0.2
x=which -0.1 x=off -0.1 x=high -0.1 x=level 0.3 x=look -0.1 x=ones -0.1 x=ready -0.1 x=o -0.1 x=color -0.1 x=step 0.1
x=making -0.1 x=wall -0.1 x=got -0.2 x=starting -0.2 x=wait -0.1 x=vertical -0.1 x=did 0.1 x=let -0.1 x=see 0.1
x=check -0.1 x=directly 0.1 x=lol -0.3 x=also -0.1 x=some -0.1 x=ya 0.1 x=over -0.1 x=use -0.1 x=yea -0.2 x=mean -0.1
x=underneath -0.1 x=these -0.1 x=job -0.1 x=face 0.1 x=lets -0.1 x=across -0.1 x=correct -0.2 none=a 0.1 none=to -0.1
none=block -0.1 none=on -0.4 none=one 0.2 none=that -0.2 none=now -0.7 none=blocks -0.1 none=it 0.4 none=you -0.1
none=top -0.2 none=red -0.1 none=right -0.1 none=in -0.1 none=this 0.3 none=yellow -0.2 none=orange -0.2 none=purple
-0.1 none=green -0.2 none=two -0.1 none=place 0.2 none=side -0.2 none=left -0.2 none=from -0.1 none=then -0.4 none=we
-0.1 none=with -0.1 none=be -0.1 none=put 0.2 none=okay 0.2 none=has -0.1 none=more -0.4 none=row -0.2 none=good 0.2
none=just -0.2 none=sorry 0.4 none=should 0.4 none=same -0.3 none=another -0.5 none=yes 0.2 none=bottom -0.1 none=up
0.1 none=will 0.1 none=other -0.1 none=down -0.2 none=going -0.3 none=perfect 0.1 none=yeah 0.2 none=ground 0.3
none=each 0.1 none=but 0.8 none=there 0.1 none=start 1 none=space 0.3 none=corner -0.1 none=no 0.1 none=column -0.1
none=an -0.3 none=do -0.2 none=above -0.3 none=go -0.2 none=all 0.1 none=remove -0.4 none=can -0.6 none=center 0.2
none=last -0.2 none=or 0.2 none=out -0.5 none=for 0.1 none=first 0.7 none=front -0.1 none=it's 0.4 none=at 0.1
none=line -0.1 none=by 0.1 none=diagonal 0.1 none=need 0.4 none=we're 0.3 none=that's -0.1 none=cool 0.3 none=done
-0.1 none=looks 0.2 none=not -0.1 none=edge 0.7 none=behind -0.1 none=layer -0.1 none=ll 0.2 none=those -0.1
none=structure -0.1 none=have 0.3 none=stack -0.1 none=oh 0.3 none=move 0.4 none=away 0.1 none=its 0.3 none=me 0.3
none=bricks 0.2 none=here -0.2 none=placed 0.3 none=your -0.1 none=as 0.1 none=yup 0.1 none=hi 0.1 none=them 0.2
none=t -0.1 none=think -0.4 none=corners -0.2 none=between 0.2 none=spaces 0.2 none=diagonally -0.1 none=how 0.1
none=delete 0.1 none=back -0.4 none=below -0.5 none=second -0.4 none=l 0.3 none=alright -0.3 none=get 0.4 none=connect
-0.5 none=building 0.1 none=my 0.1 none=thats 0.2 none=they 0.4 none=end 0.2 none=if -0.2 none=shape -0.3
none=direction -0.4 none=was 0.2 none=which 0.1 none=off -0.1 none=high 0.1 none=level -0.1 none=look -0.1 none=ones
0.2 none=again -0.5 none=break -0.4 none=tall 0.2 none=o 0.4 none=3x3 0.2 none=step -0.2 none=four 0.1 none=making
-0.1 none=wall -0.2 none=starting 0.1 none=squares 0.2 none=wait 0.1 none=u -0.2 none=vertical -0.1 none=did 0.2
none=facing 0.2 none=let 0.3 none=see -0.2 none=base 0.1 none=check 0.4 none=directly 0.3 none=lol 0.1 none=long 0.2
none=also -0.3 none=toward 0.1 none=x -0.2 none=flat 0.1 none=near 0.2 none=parallel 0.1 none=some 0.1 none=ya 0.1
none=over 0.4 none=pillar -0.1 none=bad 0.2 none=either 0.3 none=too -0.1 none=2nd 0.1 none=both -0.2 none=does 0.1
none=touching 0.2 none=way 0.1 none=legs -0.2 none=made 0.1 none=mean 0.2 none=standing 0.1 none=plane -0.1 none=sides
-0.2 none=underneath -0.1 none=wide 0.4 none=2x2 -0.1 none=actually 0.3 none=staircase -0.3 none=third -0.3
none=horizontal 0.1 none=these -0.2 none=fill -0.2 none=job 0.1 none=part -0.1 none=rows -0.2 none=time 0.1 none=face
-0.1 none=meant 0.2 none=correct 0.3 none=current 0.3 the>act 0.2 a>act 0.1 block>act -0.1 on>act -0.1 one>act 0.2
that>act 0.1 blocks>act -0.1 and>act 0.1 it>act 0.3 you>act 0.4 top>act 0.2 ok>act -0.8 red>act 0.4 right>act 0.1
is>act -0.1 in>act -0.2 like>act -0.1 this>act -0.4 yellow>act 0.3 orange>act 0.2 so>act 0.1 purple>act 0.3 blue>act
0.3 green>act 0.2 place>act 0.2 side>act 0.2 left>act 0.1 from>act 0.2 i>act 0.1 we>act -0.3 with>act 0.3 be>act -0.1
put>act 0.1 okay>act -0.6 make>act 0.3 has>act -0.4 more>act 0.2 mission>act -0.3 started>act -0.1 row>act -0.1
good>act -0.3 just>act 0.2 build>act 0.3 sorry>act -0.3 middle>act 0.2 same>act 0.3 yes>act 0.1 bottom>act 0.1 up>act
0.4 will>act 0.1 other>act 0.2 add>act 0.3 down>act 0.1 three>act -0.1 yeah>act -0.2 ground>act 0.2 each>act 0.1
but>act 0.3 great>act -0.3 there>act 0.3 next>act -0.1 start>act 0.1 space>act -0.1 corner>act 0.2 no>act -0.1
column>act -0.3 an>act 0.1 do>act -0.1 above>act 0.2 go>act -0.1 remove>act 0.2 can>act 0.1 center>act 0.3 or>act -0.2
out>act -0.2 for>act 0.2 first>act 0.1 floating>act 0.3 it's>act 0.2 line>act 0.4 by>act -0.1 need>act 0.1 nice>act
-0.3 yep>act -0.2 towards>act 0.3 we're>act -0.4 cool>act -0.2 done>act -0.3 looks>act -0.2 not>act 0.3 edge>act -0.2
behind>act -0.1 layer>act 0.2 ll>act -0.1 have>act 0.7 stack>act 0.3 oh>act 0.2 move>act 0.2 away>act -0.2 its>act
-0.3 me>act 0.2 bricks>act 0.1 here>act -0.1 brick>act 0.1 your>act -0.1 where>act 0.1 as>act 0.1 yup>act 0.4 hi>act
-0.1 them>act 0.4 you're>act 0.1 hello>act -0.1 thing>act -0.1 t>act -0.2 think>act 0.2 corners>act -0.1 between>act
-0.5 spaces>act -0.2 diagonally>act 0.4 how>act 0.1 delete>act 0.1 below>act 0.1 second>act -0.2 l>act -0.3 only>act
0.1 alright>act -0.1 get>act 0.1 connect>act 0.2 tower>act 0.3 building>act -0.2 my>act -0.2 thats>act -0.2 they>act
0.1 end>act 0.2 if>act -0.1 shape>act 0.3 direction>act 0.2 empty>act 0.3 most>act -0.1 was>act -0.2 which>act -0.1
off>act -0.3 rectangle>act 0.3 high>act 0.1 level>act -0.2 look>act 0.1 ones>act -0.1 tall>act 0.2 o>act 0.2 3x3>act
0.3 color>act -0.1 four>act -0.4 making>act 0.1 got>act -0.5 starting>act 0.2 squares>act -0.1 wait>act -0.1
vertical>act -0.4 did>act 0.1 facing>act 0.3 see>act -0.2 base>act 0.1 directly>act 0.1 lol>act -0.2 long>act -0.1
want>act 0.1 also>act 0.2 opposite>act 0.1 x>act 0.1 flat>act -0.1 near>act 0.3 over>act 0.1 pillar>act 0.4 either>act
-0.2 yea>act -0.4 both>act 0.2 does>act -0.3 touching>act 0.2 way>act 0.1 legs>act -0.1 mean>act 0.1 standing>act -0.2
plane>act 0.2 sides>act 0.1 underneath>act 0.1 2x2>act 0.1 columns>act -0.1 actually>act -0.1 staircase>act 0.3
very>act -0.6 built>act 0.1 gonna>act 0.2 horizontal>act 0.2 these>act -0.1 part>act -0.6 rows>act -0.1 face>act 0.1
lets>act -0.1 meant>act 0.6 across>act 0.1 correct>act -0.4 current>act 0.3 act>the -0.1 act>of 0.1 act>a 0.2 act>to
-0.1 act>block -0.2 act>on 0.1 act>one 0.1 act>blocks -0.3 act>and 0.2 act>you -0.2 act>ok -0.1 act>red 0.2 act>right
0.1 act>is 0.2 act>in -0.1 act>like 0.1 act>this 0.4 act>so -0.4 act>blue 0.3 act>place 0.1 act>side -0.2 act>from 0.2
act>then 0.1 act>i 0.1 act>we 0.3 act>with 0.1 act>be -0.1 act>put -0.2 act>okay -0.1 act>make -0.1 act>has 0.1
act>more -0.1 act>good -0.1 act>just -0.1 act>build 0.1 act>sorry -0.3 act>middle 0.7 act>should -0.4 act>are -0.2
act>another 0.2 act>yes -0.1 act>bottom -0.2 act>up 0.1 act>will -0.2 act>other 0.2 act>add 0.2 act>down -0.1
act>going 0.2 act>perfect -0.1 act>yeah -0.1 act>but -0.4 act>great 0.1 act>there -0.2 act>next -0.1 act>square 0.1
act>start -0.1 act>space -0.1 act>no -0.1 act>column 0.1 act>above 0.4 act>all -0.1 act>remove 0.3 act>can -0.1
act>last 0.2 act>out -0.1 act>for 0.1 act>first -0.1 act>floating -0.1 act>it's -0.3 act>at -0.3 act>line -0.1 act>yep
-0.1 act>towards 0.1 act>that's -0.1 act>cool -0.1 act>looks 0.1 act>not -0.3 act>edge 0.1 act>behind 0.1 act>layer
-0.2 act>ll 0.1 act>those 0.2 act>have -0.1 act>stack -0.1 act>oh -0.2 act>move -0.1 act>away 0.1 act>its -0.2 act>me
-0.1 act>bricks 0.2 act>here 0.1 act>brick -0.2 act>placed -0.5 act>where 0.2 act>as 0.2 act>yup -0.1 act>you're 0.2
act>thing -0.2 act>t 0.3 act>think 0.3 act>corners -0.2 act>between -0.3 act>spaces -0.3 act>delete -0.2 act>below 0.3
act>second -0.1 act>l -0.2 act>alright 0.2 act>get -0.1 act>connect 0.1 act>thats -0.2 act>they -0.2 act>end -0.2
act>if 0.2 act>shape 0.1 act>direction 0.2 act>empty 0.2 act>most -0.1 act>was -0.2 act>which -0.1 act>high -0.1
act>level -0.5 act>look 0.2 act>ones -0.1 act>again 0.3 act>break 0.1 act>tall 0.1 act>o -0.4 act>3x3 0.1 act>step
-0.3 act>four -0.3 act>wall 0.1 act>got -0.1 act>squares -0.2 act>wait -0.1 act>u -0.2 act>did -0.2 act>facing -0.1
act>check -0.1 act>directly 0.1 act>want -0.2 act>opposite -0.1 act>toward -0.2 act>x 0.4 act>flat -0.2 act>parallel
-0.2 act>some 0.2 act>ya -0.1 act>over -0.1 act>pillar 0.2 act>use -0.1 act>either -0.1 act>too 0.1 act>both 0.2
act>touching -0.2 act>under -0.1 act>way -0.1 act>legs 0.4 act>made -0.4 act>mean -0.1 act>plus -0.1 act>standing 0.1
act>sides 0.2 act>underneath 0.1 act>2x2 0.1 act>columns 0.1 act>actually -0.1 act>very 0.1 act>built 0.2 act>cross
-0.2 act>gonna -0.1 act>horizontal -0.1 act>table 0.1 act>these 0.2 act>fill 0.1 act>part 0.2 act>rows -0.1 act>lets
0.1 act>meant -0.1 act>across -0.1 act>correct -0.2 act>current -0.2 history: head_of_own.soft -0.8
head_of_own.goes_on.soft -0.7 head_of_line_before -0.1 head_of_line_before.other -0.1 x_answers_y -0.2
x_answers_y.nearest 0.2 x_answers_own 0.1 x_answers_own.nearest 0.1 x_answers_other -0.4 x_starts 0.6 x_starts.other
-0.2 own_thread -0.1 own_thread.last -0.2 own_thread.last_other 0.5 own_thread.other 0.4 last_of_thread 0.3
last_of_thread.other -0.2 thread_before -0.3 answered -1.9 answered.other -0.1 unanswered_question -0.1
nearest_unanswered -0.8 later 0.3 later.same 0.7 p 0.5 rivals -1.5 log_p 0.5
"""
FITTED_ON = "msdc_train307 of the Minecraft Structured Dialogue Corpus, links of type Result (CC0)"
INSTRUCTION = Table("instruction", FITTED_ON, 10, weights_from(FIRST), weights_from(SECOND))
